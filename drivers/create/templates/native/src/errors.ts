/** What the SDK's statuses mean: a code for programs, and a sentence for people. */
import { messageOf, type ScanError } from '@platen/core/plugin';
import { failedError, meantError, statusOf, type Meaning } from '@platen/driver-kit';

/** Yours: each status of your SDK that a person can cause or fix. The codes are those of `driverCodes`. */
const meanings: Readonly<Record<string, Meaning>> = {
  ACME_NO_PAPER: { code: 'no-paper', words: 'has no paper in its feeder' },
  ACME_JAM: { code: 'paper-jam', words: 'has a paper jam. Open the cover, remove the sheet, and scan again' },
  ACME_DOUBLE_FEED: { code: 'double-feed', words: 'fed two sheets at once. Separate them, and scan again' },
  ACME_COVER_OPEN: { code: 'cover-open', words: 'has an open cover. Close it, and scan again' },
  ACME_OFFLINE: { code: 'device-offline', words: 'does not answer. Check that it is switched on and connected' },
  ACME_BUSY: { code: 'busy', words: 'is used by another program' },
  ACME_NOT_FOUND: { code: 'device-not-found', words: 'is not connected' },
  ACME_INVALID: { code: 'unsupported', words: 'does not have one of the settings' },
};

/** @param name of the scanner */
export function explain(error: unknown, name: string): ScanError {
  const status = statusOf(error);
  if (status === undefined) return failedError(error, name); // the helper's end, for example
  const meaning = meanings[status] ?? { code: 'driver-failed', words: 'failed' };
  return meantError(meaning, name, `${status}: ${messageOf(error)}`, error);
}
