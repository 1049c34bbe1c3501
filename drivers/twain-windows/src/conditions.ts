/** What TWAIN's return codes and condition codes mean to Platen. */
import { asDriverError, codeOf, messageOf, ScanError, type DriverCode } from '@platen/core/plugin';
import { RC } from './triplets.js';

interface Meaning {
  readonly name: string;
  readonly code: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly words: string;
}

const meaning = (name: string, code: DriverCode, words: string): Meaning => ({ name, code, words });

/** TWCC_…, by number. */
export const conditions: Readonly<Record<number, Meaning>> = {
  1: meaning('BUMMER', 'driver-failed', 'failed, and its driver does not say why'),
  2: meaning('LOWMEMORY', 'driver-failed', 'has a driver that ran out of memory: try a lower resolution'),
  3: meaning('NODS', 'device-not-found', 'has no driver that could be loaded: install it again'),
  4: meaning('MAXCONNECTIONS', 'busy', 'is in use by another program'),
  5: meaning('OPERATIONERROR', 'driver-failed', 'has a driver that failed'),
  6: meaning('BADCAP', 'unsupported', 'cannot do what it was asked'),
  9: meaning('BADPROTOCOL', 'driver-failed', 'has a driver that does not know an operation of TWAIN'),
  10: meaning('BADVALUE', 'unsupported', 'does not scan with these settings'),
  11: meaning('SEQERROR', 'driver-failed', 'has a driver that is in another state than it should be'),
  12: meaning('BADDEST', 'driver-failed', 'has a driver that is not open any more'),
  13: meaning('CAPUNSUPPORTED', 'unsupported', 'cannot do what it was asked'),
  14: meaning('CAPBADOPERATION', 'unsupported', 'cannot do what it was asked'),
  15: meaning('CAPSEQERROR', 'unsupported', 'does not take a setting together with the others'),
  16: meaning('DENIED', 'driver-failed', 'denied it'),
  17: meaning('FILEEXISTS', 'driver-failed', 'has a driver that found a file of the same name in its way'),
  18: meaning('FILENOTFOUND', 'driver-failed', 'has a driver that lacks a file: install it again'),
  19: meaning('NOTEMPTY', 'driver-failed', 'has a driver that found a folder not empty'),
  20: meaning('PAPERJAM', 'paper-jam', 'has a paper jam'),
  21: meaning('PAPERDOUBLEFEED', 'double-feed', 'took two sheets at once'),
  22: meaning('FILEWRITEERROR', 'driver-failed', 'has a driver that cannot write a file: see that the disk is not full'),
  23: meaning('CHECKDEVICEONLINE', 'device-offline', 'does not answer: see that it is switched on and connected'),
  24: meaning('INTERLOCK', 'cover-open', 'has a cover that is open'),
  25: meaning('DAMAGEDCORNER', 'paper-jam', 'stopped at a sheet with a damaged corner'),
  26: meaning('FOCUSERROR', 'driver-failed', 'cannot focus'),
  27: meaning('DOCTOOLIGHT', 'driver-failed', 'finds the sheet too light to scan'),
  28: meaning('DOCTOODARK', 'driver-failed', 'finds the sheet too dark to scan'),
  29: meaning('NOMEDIA', 'no-paper', 'has no paper in its feeder'),
};

/** Where a condition means something else while the source is being opened: that it is switched off is said in many ways. */
export const opening: Readonly<Record<number, Meaning>> = Object.fromEntries(
  [1, 5].map(cc => [cc, { ...conditions[cc]!, code: 'device-offline', words: 'cannot be opened: see that it is switched on and connected, and that no other program has it' }]),
);

export const CC = { BADCAP: 6, BADVALUE: 10, SEQERROR: 11, PAPERJAM: 20, PAPERDOUBLEFEED: 21, CHECKDEVICEONLINE: 23, NOMEDIA: 29 } as const;

/** An operation that the source, or the manager, refused. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly rc: number;
  readonly cc: number;

  /** @param what was refused: `MSG_ENABLEDS` */
  constructor(what: string, rc: number, cc: number) {
    super(`${what}: return code ${rc}, condition code ${cc}${conditions[cc] ? ` (${conditions[cc].name})` : ''}`);
    this.rc = rc;
    this.cc = cc;
  }
}

/** The words of a helper for what TWAIN has no number for. */
const helperStatuses: Readonly<Record<string, { readonly code: DriverCode; readonly words: string }>> = {
  NODSM: { code: 'driver-failed', words: 'cannot be reached: TWAIN is not installed' },
  TOOBIG: { code: 'unsupported', words: 'made a page with more pixels than are allowed' },
  NOMEM: { code: 'driver-failed', words: 'has a page that does not fit into memory: try a lower resolution' },
};

/** What was thrown, as an error with a driver's code. @param isOpen whether the source was open then */
export function asScanError(error: unknown, name: string, isOpen: boolean): ScanError {
  if (codeOf(error)) return asDriverError(error);
  const said = (code: DriverCode, words: string) => new ScanError(code, `"${name}" ${words} (TWAIN: ${messageOf(error)}).`, { cause: error });
  if (error instanceof Refusal) {
    if (error.rc === RC.CANCEL) return said('cancelled', 'cancelled the page itself');
    if (error.rc === RC.BUSY) return said('busy', 'is in use by another program');
    if (error.rc === RC.SCANNERLOCKED) return said('busy', 'is locked');
    const known = (isOpen ? undefined : opening[error.cc]) ?? conditions[error.cc];
    return said(known?.code ?? 'driver-failed', known?.words ?? 'failed');
  }
  const status = helperStatuses[String((error as { status?: unknown } | null)?.status)];
  return said(status?.code ?? 'driver-failed', status?.words ?? 'failed');
}

/** What the source refuses is not there; what befell the helper is a failure. */
export function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}
