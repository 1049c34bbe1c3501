/** PDF documents of scans over HTTP, checked by qpdf and poppler: while a scan runs, jams, is continued; any title. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { checkedPages, infoOf, inksOf, turnsOf } from '../scan/pdfFiles.js';
import { download, type Download } from '../scans/download.js';
import { until } from '../spec/calls.js';
import { cancelScan, continueScan, ended, findScan, sha256, startScan } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets, type Ink } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { imagesOf } from './pdfImages.js';

const parameters = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' } as const;

async function documents(t: Test, config: Readonly<Record<string, unknown>>) {
  const fixture = await start(t, topology, {
    recognisers: ['@platen/document-pdf'],
    faults: { hanging: [{ sheet: 3, fault: 'hang' }], jamming: [{ sheet: 7, fault: 'paper-jam' }] },
    config,
  });
  const folder = await mkdtemp(join(tmpdir(), 'platen-documents-'));
  t.teardown(() => rm(folder, { recursive: true }));
  let count = 0;
  return {
    fixture,
    path: (id: string, query = '') => `/api/scans/${id}/document${query && `?${query}`}`,
    /** Whole: what has come is in a file. */
    async save(answer: Pick<Download, 'bytes' | 'ended'>): Promise<string> {
      t.equal(await answer.ended, true);
      const file = join(folder, `${++count}.pdf`);
      await writeFile(file, answer.bytes());
      return file;
    },
  };
}

if (needs(t, 'qpdf') && needs(t, 'pdfinfo') && needs(t, 'pdfimages')) {
  /** One service for all but the last; a cancelled scan does not wait for its sheet. */
  const { fixture, path, save } = await documents(t, { scan: { graceSeconds: 0.3 } });

  t.test('a document begins before sheet 3 is scanned, and is whole when its scan ends', async t => {
    await fixture.load('hanging', sheets(1, 2, 3));
    const { json } = await startScan(fixture, 'hanging', { parameters });
    const document = await download(fixture, path(json.id));
    t.match(document, { status: 200, headers: { 'platen-scan': 'running', 'content-type': 'application/pdf' } });
    const twoPages = async (): Promise<boolean> => (await findScan(fixture, json.id)).json.pageCount === 2;
    await until(twoPages);
    const [first] = (await findScan(fixture, json.id)).json.pages;
    await until(async () => document.bytes().length > (first?.bytes ?? Infinity));
    t.match((await findScan(fixture, json.id)).json, { state: 'running', pageCount: 2 });
    await cancelScan(fixture, json.id);
    const file = await save(document);
    t.equal(document.trailers['platen-scan'], 'cancelled;code=cancelled');
    t.equal(await checkedPages(file), 2);
    t.same(await inksOf(file), [1, 2]);
  });

  t.test('a jam at sheet 7: a valid document of six pages; continued, it has the rest', async t => {
    await fixture.load('jamming', sheets(1, 2, 3, 4, 5, 6, 7, 1));
    const { json } = await startScan(fixture, 'jamming', { parameters });
    const early = await download(fixture, path(json.id));
    const whole = await save(early);
    t.equal(early.trailers['platen-scan'], 'failed;code=paper-jam');
    t.match(await ended(fixture, json.id), { state: 'failed', code: 'paper-jam' });
    const late = await download(fixture, path(json.id));
    const again = await save(late);
    t.equal(late.headers['platen-scan'], 'failed;code=paper-jam');
    for (const file of [whole, again]) {
      t.equal(await checkedPages(file), 6);
      t.same(await inksOf(file), [1, 2, 3, 4, 5, 6]);
    }
    await fixture.load('jamming', sheets(7));
    t.equal((await continueScan(fixture, json.id)).status, 200);
    const more = await download(fixture, path(json.id));
    t.same(await inksOf(await save(more)), [1, 2, 3, 4, 5, 6, 7]);
    t.equal(more.trailers['platen-scan'], 'completed');
  });

  t.test("the pages' files are in it byte for byte, in the wanted order, turned", async t => {
    await fixture.load('duplex', [
      { front: 1, back: 2 },
      { front: 3, back: 4 },
    ]);
    const duplex = { ...parameters, duplexMode: 'DuplexLongEdge' };
    const { json } = await startScan(fixture, 'duplex', { parameters: duplex });
    const { pages } = await ended(fixture, json.id);
    const file = await save(await download(fixture, path(json.id, 'pages=4,1-2,1&rotate=1:90,4:270')));
    t.equal(await checkedPages(file), 4);
    t.same(await turnsOf(file), [270, 90, 0, 90]);
    const expected = [4, 1, 2, 1].map(number => pages[number - 1]?.sha256);
    t.same([...new Set((await imagesOf(file)).map(sha256))].sort(), [...new Set(expected)].sort());
    t.same(await inksOf(file), [4, 1, 2, 1]);
  });

  t.test('a title of any characters is in a valid document', async t => {
    await fixture.load('duplex', sheets(1));
    const { json } = await startScan(fixture, 'duplex', { parameters });
    await ended(fixture, json.id);
    for (const title of [
      'Letter',
      'Übergröße (1) \\ 2) «ß»',
      '請求書 – счёт – فاتورة',
      '<a & b="c">]]></x:xmpmeta>',
      '👩‍👩‍👧 😀',
      '%PDF-1.7 endobj stream',
      'x'.repeat(500),
      '😀'.repeat(500),
    ]) {
      const answer = await download(fixture, path(json.id, `title=${encodeURIComponent(title)}`));
      t.equal(answer.status, 200);
      const file = await save(answer);
      t.equal(await checkedPages(file), 1, title.slice(0, 40));
      t.equal(await infoOf(file, 'Title'), title, title.slice(0, 40));
    }
  });

  t.test('two documents of one scan at once, while it runs', async t => {
    await fixture.load('duplex', sheets(1, 2, 3, 4, 5));
    const { json } = await startScan(fixture, 'duplex', { parameters });
    const [one, two] = await Promise.all([
      download(fixture, path(json.id)),
      download(fixture, path(json.id, 'pages=5,2')),
    ]);
    t.same(await inksOf(await save(one)), [1, 2, 3, 4, 5]);
    t.same(await inksOf(await save(two)), [5, 2]);
  });

  t.test('pages of two scans of different formats, in any order, turned, byte for byte', async t => {
    const scanned = async (imageFormat: string, ...inks: readonly Ink[]) => {
      await fixture.load('duplex', sheets(...inks));
      const { json } = await startScan(fixture, 'duplex', { parameters: { ...parameters, imageFormat } });
      return ended(fixture, json.id);
    };
    const [jpegs, pngs] = [await scanned('Jpeg', 1, 2, 3), await scanned('Png', 4, 5)];
    const written = async (...wanted: readonly (readonly [scan: typeof jpegs, page: number, rotate?: number])[]) => {
      const pages = wanted.map(([{ id: scan }, page, rotate]) => ({ scan, page, ...(rotate ? { rotate } : {}) }));
      const answer = await fixture.request('POST', '/api/documents', { body: { title: 'Two scans', pages } });
      t.equal(answer.status, 200);
      return save({ bytes: () => answer.bytes, ended: Promise.resolve(true) });
    };

    const file = await written([pngs, 1, 270], [jpegs, 1], [jpegs, 3, 90], [pngs, 2, 180], [jpegs, 1, 90]);
    t.equal(await checkedPages(file), 5);
    t.same(await inksOf(file), [4, 1, 3, 5, 1], 'the first pages of both scans are not taken for the same one');
    t.same(await turnsOf(file), [270, 0, 90, 180, 90]);
    t.equal(await infoOf(file, 'Title'), 'Two scans');
    const ofJpegs = await written([jpegs, 3], [jpegs, 1]);
    t.same(
      (await imagesOf(ofJpegs)).map(sha256),
      [3, 1].map(number => jpegs.pages[number - 1]?.sha256),
    );
  });

  t.test('with scans.keep false, from memory', async t => {
    const unkept = await documents(t, { scans: { keep: false } });
    await unkept.fixture.load('duplex', sheets(1, 2));
    const { json } = await startScan(unkept.fixture, 'duplex', { parameters });
    t.same(await inksOf(await unkept.save(await download(unkept.fixture, unkept.path(json.id)))), [1, 2]);
  });
}
