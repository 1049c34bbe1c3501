/** The state in which the service is measured. */
import type { ScanJson } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { autoscanOf } from './autoscanJob.js';
import { holdImages, idle, takeOldest, type Desk } from './desk.js';
import { processTree } from './processTree.js';

const MOST_TURNS = 6;

/** Enough large pages at once for every thread on which pages are worked, until no further one starts. */
async function everyThread(desk: Desk): Promise<void> {
  const { caller } = desk;
  const more = {
    duplexMode: 'DuplexLongEdge',
    autoDeskew: true,
    barcodeReadingEnabled: true,
    blankPages: 'flag',
    recognise: { patch: {} },
  };
  const parameters = { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg', sheets: 3, ...more };
  const body = { scannerName: 'Desk', parameters };
  const threads = (): number => processTree(desk.house.service.pid)[0]!.threads;
  for (let [turn, before] = [0, 0]; turn < MOST_TURNS && threads() > before; turn++) {
    before = threads();
    const { json } = await caller.call('POST', '/api/twain/scan', [200], { body });
    await holdImages(desk, json as ScanJson);
  }
}

/**
 * Brings the service into the state in which it is measured: the same few scans last, on each kind of scanner, and
 * nothing of them left.
 */
export async function tidy(desk: Desk): Promise<void> {
  const { caller, house, kept, random } = desk;
  while (kept.length > 0) await takeOldest(desk);
  await idle(desk);
  const parameters = { resolution: 300, colorMode: 'Color', imageFormat: 'Jpeg', sheets: 1, pageSize: 'A4' };
  await everyThread(desk);
  for (const scanner of house.scanners) {
    await scanner.insert(sheets(1));
    const { json } = await caller.call('POST', '/api/twain/scan', [200], {
      body: { scannerName: scanner.name, parameters },
    });
    await holdImages(desk, json as ScanJson);
  }
  await autoscanOf({ caller, house, kept, random: { ...random, chance: () => false } }, 2, {
    resolution: 75,
    imageFormat: 'Jpeg',
  });
  await idle(desk);
}
