/** The error code and words for each SANE status. */
import { messageOf, type ScanError } from '@platen/core/plugin';
import { failedError, meantError, statusOf, type Meaning } from '@platen/driver-kit';

export const meanings: Readonly<Record<string, Meaning>> = {
  UNSUPPORTED: { code: 'unsupported', words: 'does not support the request' },
  CANCELLED: { code: 'cancelled', words: 'cancelled the scan itself' },
  DEVICE_BUSY: { code: 'busy', words: 'is in use by another program' },
  INVAL: { code: 'unsupported', words: 'does not scan with these settings' },
  EOF: { code: 'driver-failed', words: 'ended a page before it began' },
  JAMMED: { code: 'paper-jam', words: 'has a paper jam' },
  NO_DOCS: { code: 'no-paper', words: 'has no paper in its feeder' },
  COVER_OPEN: { code: 'cover-open', words: 'has an open cover' },
  IO_ERROR: { code: 'device-offline', words: 'does not answer: check that it is switched on and connected' },
  NO_MEM: { code: 'driver-failed', words: 'has a driver that ran out of memory: try a lower resolution' },
  ACCESS_DENIED: {
    code: 'driver-failed',
    words: 'cannot be used by this account: add the account to the groups "scanner" and "lp", and log in again',
  },
  WARMING_UP: { code: 'busy', words: 'is warming up: try again in a moment' },
  HW_LOCKED: { code: 'driver-failed', words: 'is locked for transport: release its lock' },
};

/** Statuses with another meaning before the device is open. */
const opening: Readonly<Record<string, Meaning>> = {
  INVAL: {
    code: 'device-not-found',
    words: 'was not found by SANE: check that it is connected, and list the scanners again',
  },
};

const failed: Meaning = { code: 'driver-failed', words: 'failed' };

/** An error with a driver's code for anything thrown. @param isOpen whether the device was open then */
export function asScanError(error: unknown, name: string, isOpen: boolean): ScanError {
  const status = statusOf(error);
  if (status === undefined) return failedError(error, name);
  const meaning = (isOpen ? undefined : opening[status]) ?? meanings[status] ?? failed;
  return meantError(meaning, name, `SANE: ${messageOf(error)}`, error);
}
