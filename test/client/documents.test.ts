/** Documents through the client module in Node, against a whole service: what is in them, and what survives. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Scan } from '@platen/client';
import sharp from 'sharp';
import t from 'tap';
import { until, untilFed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { canReadPdfs, inksOf, readPdf, type DrawnPdf } from './drawnPdf.js';
import { relayTo } from './relay.js';

if (!canReadPdfs(t)) process.exit(0);

const documents = { recognisers: ['@platen/document-pdf', '@platen/document-tiff'] };
const fixture = await start(t, virtualTopology, documents);
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: relay.url });
const small = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' } as const;

const pdfIn = async (document: Promise<Blob>): Promise<DrawnPdf> =>
  readPdf(new Uint8Array(await (await document).arrayBuffer()));

/** A scan of these sheets that is over. */
async function scanned(...inks: Parameters<typeof sheets>): Promise<Scan> {
  await fixture.load('duplex', sheets(...inks));
  const scan = await client.startScan(fixture.name('duplex'), small);
  for await (const page of scan.pages()) void page;
  return scan;
}

/** The first bytes of a document. */
function beginning(): { readonly told: Promise<void>; readonly tell: () => void } {
  let tell = (): void => undefined;
  const told = new Promise<void>(resolve => (tell = resolve));
  return { told, tell };
}

t.test('document: asked for when the scan starts, whole when it is over', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const scan = await client.startScan(fixture.name('slow'), small);
  const bytes: number[] = [];
  const document = await scan.document('pdf', { title: 'Größe & 書', onProgress: count => bytes.push(count) });
  t.equal(document.type, 'application/pdf');
  t.equal(bytes.at(-1), document.size);
  t.match(scan, { state: 'completed', pageCount: 3 });
  const pdf = await readPdf(new Uint8Array(await document.arrayBuffer()));
  t.same(inksOf(pdf), [1, 2, 3]);
  t.equal(pdf.title, 'Größe & 書');
  await scan.done();
});

t.test('document: pages in the wanted order, one twice, one turned', async t => {
  const scan = await scanned(1, 2, 3, 4);
  const pdf = await pdfIn(scan.document('pdf', { pages: [4, 1, 2, 1], rotate: { 2: 180 } }));
  t.same(pdf.pages, [
    { ink: 4, upright: true },
    { ink: 1, upright: true },
    { ink: 2, upright: false },
    { ink: 1, upright: true },
  ]);
  t.same(
    (await pdfIn(scan.document('PDF', { rotate: 180 }))).pages.map(({ upright }) => upright),
    [false, false, false, false],
  );
  await scan.done();
});

t.test('document: as a TIFF, two pages in one file', async t => {
  const scan = await scanned(1, 2);
  const document = await scan.document('tif');
  t.equal(document.type, 'image/tiff');
  const { pages } = await sharp(await document.arrayBuffer()).metadata();
  t.equal(pages, 2);
  await scan.done();
});

t.test('document: what the service refuses', async t => {
  const scan = await scanned(1);
  await t.rejects(scan.document('docx'), { code: 'invalid-value', httpStatus: 400 });
  for (const options of [{ pages: [2] }, { pages: [] }, { pages: [0] }, { title: '' }] as const)
    await t.rejects(scan.document('pdf', options), { code: 'invalid-value' }, JSON.stringify(options));
  await scan.done();
  await t.rejects(scan.document(), { code: 'scan-not-found' });
  await fixture.load('duplex', []);
  const empty = await client.startScan(fixture.name('duplex'), small);
  await t.rejects(empty.document(), { code: 'no-pages' });
  t.match(empty, { state: 'failed', code: 'no-paper' });
  await empty.done();
});

t.test('document: a jam at sheet 2, the page so far; continued, both', async t => {
  await fixture.load('jamming', sheets(1, 2));
  const scan = await client.startScan(fixture.name('jamming'), small);
  t.same(inksOf(await pdfIn(scan.document())), [1]);
  t.match(scan, { state: 'failed', code: 'paper-jam', pageCount: 1 });
  await fixture.load('jamming', sheets(2));
  await scan.continue();
  t.same(inksOf(await pdfIn(scan.document())), [1, 2]);
  t.match(scan, { state: 'completed', code: undefined, pageCount: 2 });
  await scan.done();
});

t.test('document: the connection is cut while the scan runs, whole', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const scan = await client.startScan(fixture.name('slow'), small);
  const began = beginning();
  const pdf = pdfIn(scan.document('pdf', { onProgress: began.tell }));
  await began.told;
  t.equal(relay.cut(), 1);
  t.same(inksOf(await pdf), [1, 2, 3]);
  await scan.done();
});

t.test('document: the service is killed and restarted while it writes, every page that was announced', async t => {
  const first = await virtualTopology.start(documents);
  t.teardown(async () => void (await first.stop()));
  const its = await relayTo(t, first);
  await first.load('slow', sheets(1, 2, 3, 4, 5, 6));
  const scan = await createClient({ baseUrl: its.url }).startScan(first.name('slow'), small);
  const began = beginning();
  const document = scan.document('pdf', { onProgress: began.tell });
  await began.told;
  // The restart may take any time.
  const letGo = its.hold();
  first.signal('SIGKILL');
  await first.ended;
  await start(t, virtualTopology, { ...documents, dataDir: first.dataDir, port: first.port });
  letGo();
  const inks = inksOf(await pdfIn(document));
  t.match(scan, { state: 'interrupted', code: 'service-ended', pageCount: inks.length });
  t.same(inks, [1, 2, 3, 4, 5, 6].slice(0, inks.length));
  t.ok(inks.length > 0);
  await scan.done();
});

t.test('document: deleted while it is written, scan-not-found; aborted, cancelled and the scan runs on', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const scan = await client.startScan(fixture.name('slow'), small);
  await untilFed(fixture, 'slow');
  const stop = new AbortController();
  const aborted = scan.document('pdf', { signal: stop.signal, onProgress: () => stop.abort() });
  await t.rejects(aborted, { code: 'cancelled' });
  t.equal((await client.resumeScan(scan.id)).state, 'running');
  const began = beginning();
  const document = scan.document('pdf', { onProgress: began.tell });
  document.catch(() => undefined);
  await began.told;
  await scan.cancel();
  await until(async () => (await client.resumeScan(scan.id)).state !== 'running');
  t.ok((await document).size > 0, 'a cancelled scan has a document, too');
  await scan.done();
  await t.rejects(scan.document(), { code: 'scan-not-found' });
});

t.test('document: a page is damaged on disk, failed; the others can be had', async t => {
  const scan = await scanned(1, 2, 3);
  await truncate(join(fixture.dataDir, 'scans', scan.id, '2.page'), 10);
  await t.rejects(scan.document(), { code: 'storage-failed', message: /2/ });
  t.same(inksOf(await pdfIn(scan.document('pdf', { pages: [3, 1] }))), [3, 1]);
  await scan.done();
});

t.test('documents: one, or separated by count; each in its own PDF', async t => {
  const one = await scanned(1, 2);
  t.match(await one.documents(), [{ number: 1, pages: [1, 2], isComplete: true }]);
  await one.done();
  await fixture.load('duplex', sheets(1, 2, 3, 4, 5));
  const scan = await client.startScan(fixture.name('duplex'), { ...small, separate: { by: 'count', pages: 2 } });
  for await (const page of scan.pages()) void page;
  const all = await scan.documents();
  t.same(
    all.map(({ number, pages, isComplete }) => ({ number, pages, isComplete })),
    [
      { number: 1, pages: [1, 2], isComplete: true },
      { number: 2, pages: [3, 4], isComplete: true },
      { number: 3, pages: [5], isComplete: true },
    ],
  );
  const inks = [];
  for (const each of all) inks.push(inksOf(await pdfIn(each.document('pdf', { title: each.name }))));
  t.same(inks, [[1, 2], [3, 4], [5]]);
  await scan.done();
});
