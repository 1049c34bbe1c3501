/** The state in which the service is measured. */
import type { ScanJson } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { autoscanOf } from './autoscanJob.js';
import { holdImages, idle, takeOldest, type Desk } from './desk.js';

/** At 300 dpi, large pages on which each thread works. */
async function everyThread(desk: Desk, resolution: number): Promise<void> {
  const parameters = {
    resolution,
    colorMode: 'Color',
    imageFormat: 'Jpeg',
    sheets: 3,
    duplexMode: 'DuplexLongEdge',
    autoDeskew: true,
    barcodeReadingEnabled: true,
    blankPages: 'flag',
    recognise: { patch: {} },
  };
  const body = { scannerName: 'Desk', parameters };
  const { json } = await desk.caller.call('POST', '/api/twain/scan', [200], { body });
  await holdImages(desk, json as ScanJson);
}

/**
 * Brings the service into the state in which it is measured: the same few scans last, on each kind of scanner, and
 * nothing of them left.
 */
export async function tidy(desk: Desk, resolution: number): Promise<void> {
  const { caller, house, kept, random } = desk;
  while (kept.length > 0) await takeOldest(desk);
  await idle(desk);
  const parameters = { resolution, colorMode: 'Color', imageFormat: 'Jpeg', sheets: 1, pageSize: 'A4' };
  await everyThread(desk, resolution);
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
