/** Blank pages through HTTP: every call says which pages are blank when asked, and documents are without them. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { download } from '../scans/download.js';
import { enable, listen } from '../spec/autoscanCalls.js';
import { scan } from '../spec/calls.js';
import { directScan, open } from '../spec/directCalls.js';
import { ended, pageOf, startScan, type ScanResource } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const letter = await readFile(fileURLToPath(new URL('../../../drivers/virtual/samples/letter.png', import.meta.url)));
const white = await sharp({ create: { width: 850, height: 1100, channels: 3, background: '#fdfdfb' } })
  .withDensity(100)
  .png()
  .toBuffer();
const parameters = { resolution: 100, imageFormat: 'Jpeg' } as const;

async function load(fixture: Fixture, pages: readonly ('letter' | 'white')[]): Promise<void> {
  await fixture.load('duplex', []);
  for (const [at, page] of pages.entries())
    await insertFile(fixture.tray('duplex'), `${at}.front.png`, page === 'letter' ? letter : white);
}

/** Of each page, whether it is blank, as far as it says so. */
const saidOf = (pages: readonly object[]): (boolean | undefined)[] =>
  pages.map(page => (page as { blank?: { isBlank: boolean } }).blank?.isBlank);

/** One service for all cases but that of another installation. */
const fixture = await start(t, topology, { recognisers: ['@platen/blank-pages', '@platen/document-pdf'] });

t.test('blank pages: said when asked, and only then, by each call that answers with pages', async t => {
  for (const [blankPages, expected] of [
    ['flag', [false, true]],
    ['drop', [false, true]],
    ['keep', [undefined, undefined]],
    [undefined, [undefined, undefined]],
  ] as const) {
    const asked = { resolution: 100, ...(blankPages === undefined ? {} : { blankPages }) };
    await t.test(String(blankPages), async t => {
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
    });
  }
});

t.test('blank pages: nothing installed finds them, the scan says so and keeps all', async t => {
  const without = await start(t, topology, { recognisers: ['@platen/document-pdf'] });
  await load(without, ['letter', 'white']);
  const { json } = await startScan(without, 'duplex', { parameters: { ...parameters, blankPages: 'drop' } });
  const { pages, notes } = await ended(without, json.id);
  t.same(saidOf(pages), [undefined, undefined]);
  t.match(notes, [{ code: 'blank-pages-not-installed', field: 'blankPages' }]);
});

/** Of the pages whose files are in the document, unchanged. */
async function numbersIn({ id, pages }: ScanResource, query = ''): Promise<number[]> {
  const document = await download(fixture, `/api/scans/${id}/document${query}`);
  t.equal(await document.ended, true);
  const whole = document.bytes();
  const files = await Promise.all(pages.map(({ number }) => pageOf(fixture, id, number)));
  return pages.map(({ number }) => number).filter((_, at) => whole.includes(files[at]?.bytes ?? ''));
}

t.test('blank pages: dropped from documents, kept in the scan', async t => {
  await load(fixture, ['white', 'letter']);
  const { json } = await startScan(fixture, 'duplex', { parameters: { ...parameters, blankPages: 'drop' } });
  const scanned = await ended(fixture, json.id);
  t.same(saidOf(scanned.pages), [true, false]);
  t.same(await numbersIn(scanned), [2]);
  t.same(await numbersIn(scanned, '?pages=2,1'), [1, 2]);

  await load(fixture, ['white', 'white']);
  const blank = await startScan(fixture, 'duplex', { parameters: { ...parameters, blankPages: 'drop' } });
  await ended(fixture, blank.json.id);
  const refused = await download(fixture, `/api/scans/${blank.json.id}/document`);
  t.match(refused, { status: 404, headers: { 'platen-error': /"no-pages"/ } });
});
