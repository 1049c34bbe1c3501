/** What TWAIN's return codes and condition codes mean to Platen. */
import { codeOf, messageOf, type DriverCode, type ScanError } from '@platen/core/plugin';
import { failedError, meantError, statusOf, type Meaning } from '@platen/driver-kit';
import { RC } from './constants.js';

interface Condition extends Meaning {
  readonly name: string;
}

const condition = (name: string, code: DriverCode, words: string): Condition => ({ name, code, words });

/** TWCC_…, by number. */
export const conditions: Readonly<Record<number, Condition>> = {
  1: condition('BUMMER', 'driver-failed', 'failed, and its driver gives no reason'),
  2: condition('LOWMEMORY', 'driver-failed', 'has a driver that ran out of memory: try a lower resolution'),
  3: condition('NODS', 'device-not-found', 'has no driver that could be loaded: install it again'),
  4: condition('MAXCONNECTIONS', 'busy', 'is in use by another program'),
  5: condition('OPERATIONERROR', 'driver-failed', 'has a driver that failed'),
  6: condition('BADCAP', 'unsupported', 'does not support the request'),
  9: condition('BADPROTOCOL', 'driver-failed', 'has a driver that does not know an operation of TWAIN'),
  10: condition('BADVALUE', 'unsupported', 'does not scan with these settings'),
  11: condition('SEQERROR', 'driver-failed', 'has a driver in an unexpected state'),
  12: condition('BADDEST', 'driver-failed', 'has a driver that is no longer open'),
  13: condition('CAPUNSUPPORTED', 'unsupported', 'does not support the request'),
  14: condition('CAPBADOPERATION', 'unsupported', 'does not support the request'),
  15: condition('CAPSEQERROR', 'unsupported', 'does not accept a setting together with the others'),
  16: condition('DENIED', 'driver-failed', 'denied it'),
  17: condition('FILEEXISTS', 'driver-failed', 'has a driver that found a file of the same name in its way'),
  18: condition('FILENOTFOUND', 'driver-failed', 'has a driver that lacks a file: install it again'),
  19: condition('NOTEMPTY', 'driver-failed', 'has a driver that found a folder not empty'),
  20: condition('PAPERJAM', 'paper-jam', 'has a paper jam'),
  21: condition('PAPERDOUBLEFEED', 'double-feed', 'took two sheets at once'),
  22: condition(
    'FILEWRITEERROR',
    'driver-failed',
    'has a driver that cannot write a file: check that the disk is not full',
  ),
  23: condition('CHECKDEVICEONLINE', 'device-offline', 'does not answer: check that it is switched on and connected'),
  24: condition('INTERLOCK', 'cover-open', 'has an open cover'),
  25: condition('DAMAGEDCORNER', 'paper-jam', 'stopped at a sheet with a damaged corner'),
  26: condition('FOCUSERROR', 'driver-failed', 'cannot focus'),
  27: condition('DOCTOOLIGHT', 'driver-failed', 'finds the sheet too light to scan'),
  28: condition('DOCTOODARK', 'driver-failed', 'finds the sheet too dark to scan'),
  29: condition('NOMEDIA', 'no-paper', 'has no paper in its feeder'),
};

/** Conditions with another meaning while a source is opened: sources report a switched-off scanner in many ways. */
export const opening: Readonly<Record<number, Condition>> = Object.fromEntries(
  [1, 5].map(cc => {
    const words = 'cannot be opened: check that it is switched on and connected, and that no other program uses it';
    return [cc, { ...conditions[cc]!, code: 'device-offline', words }];
  }),
);

export const CC = {
  BADCAP: 6,
  BADVALUE: 10,
  SEQERROR: 11,
  PAPERJAM: 20,
  PAPERDOUBLEFEED: 21,
  CHECKDEVICEONLINE: 23,
  NOMEDIA: 29,
} as const;

/** The source or the manager refused an operation. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly rc: number;
  readonly cc: number;

  /** @param what the refused operation: `MSG_ENABLEDS` */
  constructor(what: string, rc: number, cc: number) {
    super(`${what}: return code ${rc}, condition code ${cc}${conditions[cc] ? ` (${conditions[cc].name})` : ''}`);
    this.rc = rc;
    this.cc = cc;
  }
}

/** Return codes that need no condition code. */
const outcomes: Readonly<Record<number, Meaning>> = {
  [RC.CANCEL]: { code: 'cancelled', words: 'cancelled the page itself' },
  [RC.BUSY]: { code: 'busy', words: 'is in use by another program' },
  [RC.SCANNERLOCKED]: { code: 'busy', words: 'is locked' },
};

/** A helper's statuses that have no number in TWAIN. */
const helperStatuses: Readonly<Record<string, Meaning>> = {
  NODSM: { code: 'driver-failed', words: 'cannot be reached: TWAIN is not installed' },
  TOOBIG: { code: 'unsupported', words: 'produced a page with more pixels than allowed' },
  NOMEM: { code: 'driver-failed', words: 'has a page that does not fit into memory: try a lower resolution' },
};

const failed: Meaning = { code: 'driver-failed', words: 'failed' };

/** Turns any thrown value into an error with a driver's code. @param isOpen whether the source was open then */
export function asScanError(error: unknown, name: string, isOpen: boolean): ScanError {
  if (codeOf(error)) return failedError(error, name);
  const meaning = error instanceof Refusal ? meaningOf(error, isOpen) : helperStatuses[statusOf(error) ?? ''];
  return meantError(meaning ?? failed, name, `TWAIN: ${messageOf(error)}`, error);
}

function meaningOf({ rc, cc }: Refusal, isOpen: boolean): Meaning | undefined {
  return outcomes[rc] ?? (isOpen ? undefined : opening[cc]) ?? conditions[cc];
}

/** The feeder is empty. */
export function isNoPaper(error: unknown): boolean {
  return error instanceof Refusal && error.cc === CC.NOMEDIA;
}

/** For a promise's `catch`: a refusal becomes undefined, anything else is thrown. */
export function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}
