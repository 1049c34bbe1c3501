/** What each failure is called, and what a person can do about it. */
import type { PlatenErrorCode } from '../client.js';

export interface Remedy {
  readonly title: string;
  readonly remedy: string;
}

const remedies: Readonly<Record<PlatenErrorCode, Remedy>> = {
  'no-answer': {
    title: 'The service does not answer',
    remedy: 'Start the service on this computer again, then press “Look again”. The pages here are still here.',
  },
  'wrong-version': {
    title: 'The service is older than this page',
    remedy: 'Update the service, then reload this page.',
  },
  'unexpected-answer': { title: 'Something else answered', remedy: 'Restart the service, then reload this page.' },
  refused: { title: 'A setting was not taken', remedy: 'Choose another value, then scan again. No paper moved.' },
  'origin-refused': {
    title: 'This page may not scan',
    remedy: 'Open the page at the address that the service prints when it starts.',
  },
  'scanner-not-found': {
    title: 'The scanner is not there any more',
    remedy: 'Connect it and switch it on, then press “Look again”.',
  },
  'no-scanner-open': { title: 'No scanner is open', remedy: 'Choose a scanner first.' },
  busy: {
    title: 'The scanner is busy',
    remedy: 'Wait until the other scan has finished, or turn auto-scan off, then try again.',
  },
  'desktop-app-away': {
    title: 'The desktop application is not running',
    remedy: 'Start the desktop application on this computer, which owns the scanners; then press “Look again”.',
  },
  'no-paper': { title: 'There is no paper', remedy: 'Lay paper into the feeder, then scan again.' },
  'paper-jam': {
    title: 'Paper is jammed',
    remedy: 'Open the scanner, take the sheet out, close it, and scan the rest.',
  },
  'double-feed': {
    title: 'Two sheets went in at once',
    remedy: 'Take the sheets out, fan them, lay them in again from the last page that is here, and scan on.',
  },
  'cover-open': { title: 'The cover is open', remedy: 'Close the scanner’s cover, then scan again.' },
  offline: {
    title: 'The scanner is offline',
    remedy: 'Switch it on and check its cable or network, then press “Look again”.',
  },
  timeout: {
    title: 'The scan took too long',
    remedy:
      'Check that the scanner is not waiting for anything, then scan again, with a longer time limit if there is one.',
  },
  unsupported: { title: 'The scanner cannot do this', remedy: 'Choose other settings, then scan again.' },
  cancelled: { title: 'The scan was cancelled', remedy: 'Press Scan to begin anew.' },
  'pages-lost': {
    title: 'Some pages did not arrive',
    remedy: 'Compare the pages here with your paper, and scan the missing ones again.',
  },
  'autoscan-off': {
    title: 'Auto-scan is off',
    remedy: 'Another page turned it off, or the service was started anew. Start it again when you need it.',
  },
  failing: {
    title: 'Auto-scan turned itself off',
    remedy: 'Several scans in a row failed. Check the paper and the scanner, then start auto-scan again.',
  },
  unread: {
    title: 'Auto-scan turned itself off',
    remedy: 'Nobody read its pages for some minutes. Start it again when you need it.',
  },
  failed: {
    title: 'The scan failed',
    remedy: 'Switch the scanner off and on, then try again. The log of the service says more.',
  },
};

export const remedyOf = (code: PlatenErrorCode): Remedy => remedies[code] ?? remedies.failed;
