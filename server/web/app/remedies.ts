/** The title of each failure, and what the user can do about it. */
import type { PlatenErrorCode } from '../client.js';

export interface Remedy {
  readonly title: string;
  readonly remedy: string;
}

const remedies: Readonly<Record<PlatenErrorCode, Remedy>> = {
  'no-answer': {
    title: 'The service does not answer',
    remedy: 'Start the service on this computer again, then press “Refresh”. Finished pages are kept.',
  },
  'wrong-version': {
    title: 'The service is older than this page',
    remedy: 'Update the service, then reload this page.',
  },
  'unexpected-answer': { title: 'Unexpected answer', remedy: 'Restart the service, then reload this page.' },
  refused: { title: 'A setting was rejected', remedy: 'Choose another value, then scan again. No paper moved.' },
  'origin-refused': {
    title: 'This page may not scan',
    remedy: 'Open the page at the address that the service prints when it starts.',
  },
  'scanner-not-found': {
    title: 'The scanner is no longer there',
    remedy: 'Connect it and switch it on, then press “Refresh”.',
  },
  'no-scanner-open': { title: 'No scanner is open', remedy: 'Choose a scanner first.' },
  busy: {
    title: 'The scanner is busy',
    remedy: 'Wait until the other scan has finished, or turn auto-scan off, then try again.',
  },
  'desktop-app-away': {
    title: 'The desktop application is not running',
    remedy: 'Start the desktop application, which owns the scanners, on this computer. Then press “Refresh”.',
  },
  'no-pages': {
    title: 'There is no page to save',
    remedy: 'Scan a page first. If blank pages are left out, keep them.',
  },
  'no-paper': { title: 'There is no paper', remedy: 'Insert paper into the feeder, then scan again.' },
  'paper-jam': {
    title: 'Paper is jammed',
    remedy: 'Open the scanner, remove the sheet, close it, and scan the rest.',
  },
  'double-feed': {
    title: 'Two sheets were fed at once',
    remedy: 'Remove the sheets, fan them, insert those that follow the last page here, and scan again.',
  },
  'cover-open': { title: 'The cover is open', remedy: 'Close the scanner’s cover, then scan again.' },
  offline: {
    title: 'The scanner is offline',
    remedy: 'Switch it on and check its cable or network, then press “Refresh”.',
  },
  timeout: {
    title: 'The scan timed out',
    remedy: 'Check that the scanner is not waiting for something. Then scan again; if you set a time limit, raise it.',
  },
  interrupted: {
    title: 'The service ended during the scan',
    remedy: 'Insert the sheets that follow the last page here, then scan again.',
  },
  'scan-not-found': {
    title: 'The service no longer has these pages',
    remedy: 'They were discarded elsewhere, or kept for too long. Scan them again.',
  },
  'storage-full': {
    title: 'There is no room for more pages',
    remedy: 'Save or remove pages here, or discard the scans that are waiting. Then scan again. No paper moved.',
  },
  unsupported: { title: 'The scanner cannot do this', remedy: 'Choose other settings, then scan again.' },
  cancelled: { title: 'The scan was cancelled', remedy: 'Press Scan to start again.' },
  'pages-lost': {
    title: 'Some pages did not arrive',
    remedy: 'Compare the pages here with your paper, and scan the missing ones.',
  },
  'autoscan-off': {
    title: 'Auto-scan is off',
    remedy: 'Another page turned it off, or the service restarted. Start it again when you need it.',
  },
  failing: {
    title: 'Auto-scan turned itself off',
    remedy: 'Several scans in a row failed. Check the paper and the scanner, then start auto-scan again.',
  },
  unread: {
    title: 'Auto-scan turned itself off',
    remedy: 'No page read from it for several minutes. Start it again when you need it.',
  },
  failed: {
    title: 'The scan failed',
    remedy: 'Switch the scanner off and on, then try again. The service’s log has details.',
  },
};

/** The same for a scan that ended at a page, and that “Continue” scans on. @param next the number of that page */
const atPage: Partial<Record<PlatenErrorCode, (next: number) => Remedy>> = {
  'paper-jam': next => ({
    title: `Page ${next} jammed`,
    remedy: `Open the scanner, remove the sheet and close it. Insert the paper from page ${next} on, then press Continue.`,
  }),
  'double-feed': next => ({
    title: `Page ${next} was fed together with another sheet`,
    remedy: `Remove the sheets and fan them. Insert the paper from page ${next} on, then press Continue.`,
  }),
  'cover-open': next => ({
    title: `The cover was opened before page ${next}`,
    remedy: `Close the scanner’s cover, insert the paper from page ${next} on, then press Continue.`,
  }),
  'no-paper': next => ({
    title: next > 1 ? `The feeder is empty at page ${next}` : 'The feeder is empty',
    remedy: 'Insert paper into the feeder, then press Continue.',
  }),
  interrupted: next => ({
    title: `The service ended before page ${next} was finished`,
    remedy: `Insert the paper from page ${next} on, then press Continue.`,
  }),
  cancelled: next => ({
    title: 'The scan was cancelled',
    remedy: `To scan on from page ${next}, press Continue.`,
  }),
};

export const remedyAt = (code: PlatenErrorCode, next: number): Remedy =>
  atPage[code]?.(next) ?? {
    title: remedyOf(code).title,
    remedy: `${remedyOf(code).remedy} To scan on from page ${next}, press Continue.`,
  };

export const remedyOf = (code: PlatenErrorCode): Remedy => remedies[code] ?? remedies.failed;
