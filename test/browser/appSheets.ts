/** Sheets for the page at /app/: small ones that are recognised in what it saves. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { drawSide, type Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile } from '../topology/virtualTopology.js';
import { choose, toTry } from './appPage.js';

/** The scanners of `npm start`, and one that delivers two sheets and hangs at the third. */
export async function configText(more: object = {}): Promise<string> {
  const config = JSON.parse(await toTry()) as { plugins: { options: { scanners: object[] } }[] };
  const hanging = { tray: 'trays/h', createTray: true, faults: [{ sheet: 3, fault: 'hang' }] };
  config.plugins[0]?.options.scanners.push({ name: 'Feeder H', feeder: true, ...hanging });
  return JSON.stringify({ ...config, ...more });
}

let inserted = 0;

export async function insert({ dataDir }: Fixture, tray: string, ...inks: Ink[]): Promise<void> {
  for (const ink of inks)
    await insertFile(join(dataDir, 'trays', tray), `${String(++inserted).padStart(4, '0')}.png`, await drawSide(ink));
}

/** A sheet without content. */
export const blankSheet = (): Promise<Uint8Array> =>
  sharp({ create: { width: 850, height: 1100, channels: 3, background: '#fff' } })
    .withDensity(100)
    .png()
    .toBuffer();

/** Small pages, quickly. */
export async function chooseQuick(page: Page, scanner: string): Promise<void> {
  await choose(page, scanner);
  for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
  await page.getByLabel('Resolution').selectOption({ label: '75 dpi' });
}
