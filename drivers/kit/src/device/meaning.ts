/** Turns a vendor's status, or a helper's end, into a code and a sentence about the scanner. */
import { asDriverError } from '@platen/core/driver';
import { ScanError, type DriverCode } from '@platen/core/plugin';
import { HelperFailure } from '../helper/helperFailure.js';

/** A row of a driver's table of statuses. */
export interface Meaning {
  readonly code: DriverCode;
  /** The rest of a message that begins with the scanner's name: `has a paper jam`. */
  readonly words: string;
}

/**
 * @param name of the scanner
 * @param said the vendor's own words, for a search: `SANE: Document feeder jammed`
 */
export function meantError({ code, words }: Meaning, name: string, said: string, cause: unknown): ScanError {
  return new ScanError(code, `"${name}" ${words} (${said}).`, { cause });
}

/** An error that is not a helper's answer, with a driver's code. For a helper's end, it names the scanner. */
export function failedError(error: unknown, name: string): ScanError {
  if (!(error instanceof HelperFailure)) return asDriverError(error);
  const { code, message } = error;
  return new ScanError(code, `"${name}" failed: ${message}${message.endsWith('.') ? '' : '.'}`, { cause: error });
}
