/** Why an auto-scan ended, as a failure. */
import type { PlatenErrorCode } from './errors.js';

/** By the code with which an auto-scan's stream ended. Absent: turned off on request, or the service gives no reason. */
const byEnd: Readonly<Record<string, PlatenErrorCode>> = {
  failing: 'failing',
  unread: 'unread',
  'device-lost': 'offline',
  'not-connected': 'desktop-app-away',
  'storage-failed': 'failed',
};

export const codeOfEnd = (code = ''): PlatenErrorCode | undefined =>
  Object.hasOwn(byEnd, code) ? byEnd[code] : undefined;
