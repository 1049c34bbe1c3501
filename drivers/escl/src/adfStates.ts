/** The feeder's states, as ScannerStatus spells them: the paper sensor, and what went wrong. */
import type { DriverCode, Status } from '@platen/core/plugin';
import type { Quirks } from './quirks.js';

export interface AdfMeaning {
  readonly paper: Status['paper'];
  /** A state in which the feeder does not scan. */
  readonly code?: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly words?: string;
}

export const adfStates: Readonly<Record<string, AdfMeaning>> = {
  ScannerAdfLoaded: { paper: 'loaded' },
  ScannerAdfEmpty: { paper: 'empty' },
  ScannerAdfProcessing: { paper: 'unknown' },
  ScannerAdfJam: { paper: 'unknown', code: 'paper-jam', words: 'has a paper jam' },
  ScannerAdfMispick: { paper: 'unknown', code: 'paper-jam', words: 'could not pick up a sheet: see that none is jammed' },
  ScannerAdfHatchOpen: { paper: 'unknown', code: 'cover-open', words: 'has a cover that is open' },
  ScannerAdfDoorOpen: { paper: 'unknown', code: 'cover-open', words: 'has a cover that is open' },
  ScannerAdfMultipickDetected: { paper: 'unknown', code: 'double-feed', words: 'took two sheets at once' },
  ScannerAdfDuplexPageTooShort: { paper: 'unknown', code: 'unsupported', words: 'cannot scan both sides of a sheet as short as this' },
  ScannerAdfDuplexPageTooLong: { paper: 'unknown', code: 'unsupported', words: 'cannot scan both sides of a sheet as long as this' },
  ScannerAdfInputTrayFailed: { paper: 'unknown', code: 'driver-failed', words: 'has a feeder tray that failed' },
  ScannerAdfInputTrayOverloaded: { paper: 'unknown', code: 'driver-failed', words: 'has too many sheets in its feeder' },
};

/** @param adf as ScannerStatus spells it; empty where it says nothing */
export function paperAt(adf: string, { processingIsEmpty }: Pick<Quirks, 'processingIsEmpty'>): Status['paper'] {
  return adf === 'ScannerAdfProcessing' && processingIsEmpty ? 'empty' : (adfStates[adf]?.paper ?? 'unknown');
}

/** What the contract can say of a device that is idle. */
export function detectedOf(state: string): Status['detected'] {
  const code = adfStates[state]?.code;
  return code === 'paper-jam' || code === 'double-feed' || code === 'cover-open' ? code : undefined;
}
