/** The values of AdfState: what each means for the paper, and the failure it stands for. */
import type { DriverCode, Status } from '@platen/core/plugin';
import type { Quirks } from './quirkTable.js';

export interface AdfMeaning {
  readonly paper: Status['paper'];
  /** Of a state in which the feeder cannot scan. */
  readonly code?: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly text?: string;
}

export const adfStates: Readonly<Record<string, AdfMeaning>> = {
  ScannerAdfLoaded: { paper: 'loaded' },
  ScannerAdfEmpty: { paper: 'empty' },
  ScannerAdfProcessing: { paper: 'unknown' },
  ScannerAdfJam: { paper: 'unknown', code: 'paper-jam', text: 'has a paper jam' },
  ScannerAdfMispick: {
    paper: 'unknown',
    code: 'paper-jam',
    text: 'could not pick up a sheet: check that none is jammed',
  },
  ScannerAdfHatchOpen: { paper: 'unknown', code: 'cover-open', text: 'has an open cover' },
  ScannerAdfDoorOpen: { paper: 'unknown', code: 'cover-open', text: 'has an open cover' },
  ScannerAdfMultipickDetected: { paper: 'unknown', code: 'double-feed', text: 'fed two sheets at once' },
  ScannerAdfDuplexPageTooShort: {
    paper: 'unknown',
    code: 'unsupported',
    text: 'cannot scan both sides of a sheet as short as this',
  },
  ScannerAdfDuplexPageTooLong: {
    paper: 'unknown',
    code: 'unsupported',
    text: 'cannot scan both sides of a sheet as long as this',
  },
  ScannerAdfInputTrayFailed: { paper: 'unknown', code: 'driver-failed', text: 'has a feeder tray that failed' },
  ScannerAdfInputTrayOverloaded: { paper: 'unknown', code: 'driver-failed', text: 'has too many sheets in its feeder' },
};

/** @param adf AdfState; empty if the device does not report it */
export function paperAt(adf: string, { processingIsEmpty }: Pick<Quirks, 'processingIsEmpty'>): Status['paper'] {
  return adf === 'ScannerAdfProcessing' && processingIsEmpty ? 'empty' : (adfStates[adf]?.paper ?? 'unknown');
}

/** The fault of an idle device, if the contract has a code for it. */
export function detectedOf(state: string): Status['detected'] {
  const code = adfStates[state]?.code;
  return code === 'paper-jam' || code === 'double-feed' || code === 'cover-open' ? code : undefined;
}
