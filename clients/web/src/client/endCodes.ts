/** Why an auto-scan, or the stream of a scan, ended, as a failure. */
import type { PlatenErrorCode, PlatenErrorFacts } from './errors.js';
import type { Service } from './service.js';

/** By the code with which the stream ended. Absent: turned off on request, or the service gives no reason. */
const byEnd: Readonly<Record<string, PlatenErrorCode>> = {
  failing: 'failing',
  unread: 'unread',
  'device-lost': 'offline',
  'not-connected': 'desktop-app-away',
  'storage-failed': 'failed',
  'consent-ended': 'consent-required',
};

export const codeOfEnd = (code = ''): PlatenErrorCode | undefined =>
  Object.hasOwn(byEnd, code) ? byEnd[code] : undefined;

/** Where the person can allow the page again: the service has not asked them yet. */
export const consentEnded = ({ baseUrl }: Service): Pick<PlatenErrorFacts, 'link'> => ({ link: `${baseUrl}/origins/` });
