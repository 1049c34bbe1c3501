/** The doctor's test scan, made as a web application would, and only on request. */
import { ask, NoReply } from '../../machine/ask.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, skipped, type Outcome } from './finding.js';
import { questionOf } from './service.js';

const SCAN_SECONDS = 120;

/** The fix for each `status` of a Scan result. */
const remedies: Readonly<Record<string, string>> = {
  NoPaper: 'Insert a sheet, then run this again.',
  PaperJam: 'Remove the sheet from the feeder, then run this again.',
  DoubleFeed: 'Remove the sheets from the feeder, insert one, then run this again.',
  CoverOpen: 'Close the cover, then run this again.',
  DeviceOffline: 'Switch the scanner on and check its cable, then run this again.',
  Timeout: 'Switch the scanner off and on, then run this again.',
};
const elsewhere = "See the service's log.";

interface Result {
  readonly success?: boolean;
  readonly status?: string;
  readonly message?: string;
  readonly error?: string;
  readonly images?: readonly { readonly width: number; readonly height: number; readonly fileSizeBytes: number }[];
}

export async function testScan(facts: Facts): Promise<Outcome> {
  if (!facts.scan)
    return skipped(
      'not requested, because it moves paper. Run: platen doctor --scan, with --scanner NAME if there are several',
    );
  if (!facts.root || !facts.scanners?.length) return notReached('the scanners');
  const names = facts.scanners.map(({ name }) => name);
  const scannerName = facts.scan.scanner ?? (names.length === 1 ? names[0] : undefined);
  if (scannerName === undefined || !names.includes(scannerName)) {
    const listed = names.map(name => `"${name}"`).join(', ');
    return failed(
      scannerName === undefined ? 'There are several scanners.' : `There is no scanner "${scannerName}".`,
      `Name one of these with --scanner: ${listed}.`,
    );
  }
  let result: Result;
  try {
    const body = { scannerName, parameters: { requestTimeoutSeconds: SCAN_SECONDS } };
    const { json } = await ask({
      ...questionOf(facts),
      path: '/api/twain/scan',
      body,
      timeoutMs: (SCAN_SECONDS + 30) * 1000,
    });
    result = (json ?? {}) as Result;
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    return failed(`The scan on ${scannerName} got no answer: ${error.message}.`, elsewhere);
  }
  const { success, status = '', error, message, images = [] } = result;
  if (success !== true)
    return failed(
      `${scannerName}: ${error ?? message ?? 'the answer is not a Scan result'}`,
      remedies[status] ?? elsewhere,
    );
  const [first] = images;
  if (!first) return failed(`${scannerName}: the scan succeeded without a page.`, elsewhere);
  return ok(
    `${scannerName}: ${images.length} ${images.length === 1 ? 'page' : 'pages'}, the first one ${first.width} × ${first.height} pixels`,
  );
}
