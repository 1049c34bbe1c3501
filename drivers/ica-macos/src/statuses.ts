/** What ImageCaptureCore's return codes mean. Its messages are in the user's language: they are quoted, never parsed. */
import { messageOf, type ScanError } from '@platen/core/plugin';
import { failedError, meantError, statusOf, type Meaning } from '@platen/driver-kit';

const inUse: Meaning = { code: 'busy', words: 'is in use by another program or another user of this Mac' };
const silent: Meaning = {
  code: 'device-offline',
  words: 'does not answer: check that it is switched on and connected',
};
const software: Meaning = {
  code: 'driver-failed',
  words: 'needs software that is not installed: open Image Capture once to install it',
};
const failed: Meaning = { code: 'driver-failed', words: 'failed' };

/** ICReturnCode, ICReturnConnectionErrorCode, and the helper's own statuses. */
export const meanings: Readonly<Record<string, Meaning>> = {
  '-9922': { code: 'unsupported', words: 'does not scan with these settings' },
  '-9923': silent,
  '-9924': { code: 'cancelled', words: 'cancelled the scan itself' },
  '-9925': inUse,
  '-9926': inUse,
  '-9927': silent,
  '-9928': failed,
  '-9929': failed,
  '-9931': failed,
  '-9933': failed,
  '-9945': software,
  '-9946': software,
  '-9948': software,
  '-9949': software,
  '-9950': software,
  '-9953': {
    code: 'driver-failed',
    words: 'requires a user name and a password: open it once in Image Capture and save them',
  },
  '-21343': {
    code: 'driver-failed',
    words: 'cannot be used by this program: allow access in System Settings, Privacy & Security',
  },
  '-21344': silent,
  '-21345': silent,
  '-21347': inUse,
  '-21348': silent,
  '-21349': silent,
  '-21350': silent,
  REMOVED: { code: 'device-offline', words: 'is no longer connected' },
  CLOSED: { code: 'device-offline', words: 'closed its session' },
  NOT_FOUND: {
    code: 'device-not-found',
    words: 'was not found on this Mac: check that it is connected, and list the scanners again',
  },
  NO_UNIT: { code: 'driver-failed', words: 'selected neither its feeder nor its flatbed' },
  EXCEPTION: { code: 'driver-failed', words: 'failed because of an exception in ImageCaptureCore' },
};

/** Turns any thrown value into an error with a driver's code. */
export function asScanError(error: unknown, name: string): ScanError {
  const status = statusOf(error);
  if (status === undefined) return failedError(error, name);
  return meantError(meanings[status] ?? failed, name, `macOS: ${messageOf(error)}, ${status}`, error);
}
