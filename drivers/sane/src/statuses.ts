/** What SANE's statuses mean to Platen. */
import { asDriverError, codeOf, messageOf, ScanError, type DriverCode } from '@platen/core/plugin';

interface Meaning {
  readonly code: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly words: string;
}

export const meanings: Readonly<Record<string, Meaning>> = {
  UNSUPPORTED: { code: 'unsupported', words: 'cannot do what it was asked' },
  CANCELLED: { code: 'cancelled', words: 'cancelled the scan itself' },
  DEVICE_BUSY: { code: 'busy', words: 'is in use by another program' },
  INVAL: { code: 'unsupported', words: 'does not scan with these settings' },
  EOF: { code: 'driver-failed', words: 'ended a page that it had not begun' },
  JAMMED: { code: 'paper-jam', words: 'has a paper jam' },
  NO_DOCS: { code: 'no-paper', words: 'has no paper in its feeder' },
  COVER_OPEN: { code: 'cover-open', words: 'has a cover that is open' },
  IO_ERROR: { code: 'device-offline', words: 'does not answer: see that it is switched on and connected' },
  NO_MEM: { code: 'driver-failed', words: 'has a driver that ran out of memory: try a lower resolution' },
  ACCESS_DENIED: { code: 'driver-failed', words: 'may not be used by this user: add the user to the groups "scanner" and "lp", and log in again' },
  WARMING_UP: { code: 'busy', words: 'is warming up: try again in a moment' },
  HW_LOCKED: { code: 'driver-failed', words: 'is locked for transport: release its lock' },
};

/** Where a status means something else before the device is open. */
const opening: Readonly<Record<string, Meaning>> = {
  INVAL: { code: 'device-not-found', words: 'is not known to SANE: see that it is connected, and list the scanners again' },
};

/** What befell the helper, as a sentence about the scanner. */
function withName(error: unknown, name: string): ScanError {
  const code = codeOf(error);
  const words = messageOf(error);
  if (!code || !words.startsWith('the helper')) return asDriverError(error);
  return new ScanError(code, `"${name}" failed: ${words}${words.endsWith('.') ? '' : '.'}`, { cause: error });
}

/** The status that a helper answered with, if that is what was thrown. */
export function statusOf(error: unknown): string | undefined {
  const status = (error as { status?: unknown } | null | undefined)?.status;
  return typeof status === 'string' && codeOf(error) === undefined ? status : undefined;
}

/** What was thrown, as an error with a driver's code. @param isOpen whether the device was open then */
export function asScanError(error: unknown, name: string, isOpen: boolean): ScanError {
  const status = statusOf(error);
  if (status === undefined) return withName(error, name);
  const meaning = (isOpen ? undefined : opening[status]) ?? meanings[status];
  const said = `SANE: ${messageOf(error)}`;
  if (!meaning) return new ScanError('driver-failed', `"${name}" failed (${said}).`, { cause: error });
  return new ScanError(meaning.code, `"${name}" ${meaning.words} (${said}).`, { cause: error });
}
