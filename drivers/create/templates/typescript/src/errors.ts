/** What the device's errors mean: a code for programs, and a sentence for people. */
import { asDriverError } from '@platen/core/driver';
import { codeOf, ScanError, type DriverCode } from '@platen/core/plugin';
import { DeviceError } from './device.js';

/** Yours: each error of your device. The codes are those of `driverCodes`. */
const meanings: Readonly<Record<string, readonly [DriverCode, string]>> = {
  JAM: ['paper-jam', 'has a paper jam. Open the cover, remove the sheet, and scan again.'],
  DOUBLE: ['double-feed', 'fed two sheets at once. Separate them, and scan again.'],
  COVER: ['cover-open', 'has an open cover. Close it, and scan again.'],
  EMPTY: ['no-paper', 'has no paper in its feeder.'],
  BUSY: ['busy', 'is used by another program.'],
  NO_JOB: ['device-offline', 'was switched off during the scan. Scan again.'],
  SETTING: ['unsupported', 'does not have one of the settings.'],
};

/** States of an idle device that its status reports. */
export function detectedOf(reported: string | undefined): 'paper-jam' | 'double-feed' | 'cover-open' | undefined {
  const [code] = meanings[reported ?? ''] ?? [];
  return code === 'paper-jam' || code === 'double-feed' || code === 'cover-open' ? code : undefined;
}

export function explain(error: unknown, name: string): ScanError {
  const cause = { cause: error };
  if (error instanceof DeviceError) {
    const [code, words] = meanings[error.reported] ?? ['driver-failed', `failed: ${error.message}.`];
    return new ScanError(code, `"${name}" ${words}`, cause);
  }
  if (codeOf(error) !== undefined) return asDriverError(error);
  if ((error as Error).name === 'TimeoutError') return new ScanError('timeout', `"${name}" did not answer.`, cause);
  // Node's error of a connection that cannot be made, or that broke.
  if (/^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code)))
    return new ScanError('device-offline', `"${name}" cannot be reached. Check that it is switched on.`, cause);
  return asDriverError(error);
}
