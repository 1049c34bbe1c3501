/** What ImageCaptureCore's return codes mean to Platen. Its words are in the language of the user: they are told, never read. */
import { messageOf, type ScanError } from '@platen/core/plugin';
import { failedError, meantError, statusOf, type Meaning } from '@platen/driver-kit';

const inUse: Meaning = { code: 'busy', words: 'is in use by another program or another user of this Mac' };
const silent: Meaning = { code: 'device-offline', words: 'does not answer: see that it is switched on and connected' };
const software: Meaning = {
  code: 'driver-failed',
  words: 'needs software that is not installed: open Image Capture once and let it install it',
};
const failed: Meaning = { code: 'driver-failed', words: 'failed' };

/** ICReturnCode and ICReturnConnectionErrorCode, and the helper's own words. */
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
    words: 'wants a user name and a password: open it once in Image Capture and let it keep them',
  },
  '-21343': {
    code: 'driver-failed',
    words: 'may not be used by this program: allow it in System Settings, Privacy & Security',
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
    words: 'is not known to this Mac: see that it is connected, and list the scanners again',
  },
  NO_UNIT: { code: 'driver-failed', words: 'selects none of its parts' },
  EXCEPTION: { code: 'driver-failed', words: 'met an error of ImageCaptureCore itself' },
};

/** What was thrown, as an error with a driver's code. */
export function asScanError(error: unknown, name: string): ScanError {
  const status = statusOf(error);
  if (status === undefined) return failedError(error, name);
  return meantError(meanings[status] ?? failed, name, `macOS: ${messageOf(error)}, ${status}`, error);
}
