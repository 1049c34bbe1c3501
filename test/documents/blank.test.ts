/** Blank pages through HTTP: every call says which pages are blank when asked, and documents are without them. */
import t from 'tap';
import { download } from '../scans/download.js';
import { ended, pageOf, startScan, type ScanResource } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { load, saidOf, saysOfEachCall } from './blankCalls.js';

const parameters = { resolution: 100, imageFormat: 'Jpeg' } as const;

/** One service for all cases but that of another installation. */
const fixture = await start(t, topology, { recognisers: ['@platen/blank-pages', '@platen/document-pdf'] });

t.test('blank pages: said when asked, and only then, by each call that answers with pages', async t => {
  await t.test('flag', async t => saysOfEachCall(t, fixture, 'flag', [false, true]));
  await t.test('not asked', async t => saysOfEachCall(t, fixture, undefined, [undefined, undefined]));
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
