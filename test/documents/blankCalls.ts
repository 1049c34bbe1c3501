/** Blank pages as each call that answers with pages says them. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Test } from 'tap';
import { enable, listen } from '../spec/autoscanCalls.js';
import { scan } from '../spec/calls.js';
import { directScan, open } from '../spec/directCalls.js';
import { ended, startScan } from '../spec/scanCalls.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile } from '../topology/virtualTopology.js';

const letter = await readFile(fileURLToPath(new URL('../../../drivers/virtual/samples/letter.png', import.meta.url)));
const white = await sharp({ create: { width: 850, height: 1100, channels: 3, background: '#fdfdfb' } })
  .withDensity(100)
  .png()
  .toBuffer();

export async function load(fixture: Fixture, pages: readonly ('letter' | 'white')[]): Promise<void> {
  await fixture.load('duplex', []);
  for (const [at, page] of pages.entries())
    await insertFile(fixture.tray('duplex'), `${at}.front.png`, page === 'letter' ? letter : white);
}

/** Of each page, whether it is blank, as far as it says so. */
export const saidOf = (pages: readonly object[]): (boolean | undefined)[] =>
  pages.map(page => (page as { blank?: { isBlank: boolean } }).blank?.isBlank);

/**
 * @param blankPages as a client asks for them; not at all if undefined
 * @param expected whether each of a letter and a white page is said to be blank
 */
export async function saysOfEachCall(
  t: Test,
  fixture: Fixture,
  blankPages: string | undefined,
  expected: readonly (boolean | undefined)[],
): Promise<void> {
  const asked = { resolution: 100, ...(blankPages === undefined ? {} : { blankPages }) };
  await load(fixture, ['letter', 'white']);
  t.same(saidOf((await scan(fixture, 'duplex', asked)).json.images), expected, 'POST /api/twain/scan');

  await load(fixture, ['letter', 'white']);
  const { json } = await startScan(fixture, 'duplex', { parameters: asked });
  const { pages, notes } = await ended(fixture, json.id);
  t.same(saidOf(pages), expected, 'POST /api/scans');
  t.same(notes, []);

  await load(fixture, ['letter', 'white']);
  await t.test('POST /api/twain', async t => {
    await open(t, fixture, 'duplex');
    t.same(saidOf((await directScan(fixture, asked)).json.data.images), expected);
  });

  await load(fixture, ['letter', 'white']);
  await enable(t, fixture, 'duplex', asked);
  const stream = await listen(t, fixture);
  const events = await stream.come(2);
  t.same(saidOf(events.map(({ data }) => data as object)), expected, 'auto-scan');
}
