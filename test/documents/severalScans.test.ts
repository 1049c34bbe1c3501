/** PDF documents of pages of several scans over HTTP, checked by qpdf and poppler. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { checkedPages, infoOf, inksOf, turnsOf } from '../scan/pdfFiles.js';
import { ended, sha256, startScan } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets, type Ink } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { imagesOf } from './pdfImages.js';

if (needs(t, 'qpdf') && needs(t, 'pdfinfo') && needs(t, 'pdfimages'))
  t.test('pages of two scans of different formats, in any order, turned, byte for byte', async t => {
    const fixture = await start(t, topology, { recognisers: ['@platen/document-pdf'] });
    const folder = await mkdtemp(join(tmpdir(), 'platen-several-'));
    t.teardown(() => rm(folder, { recursive: true }));
    const scanned = async (imageFormat: string, ...inks: readonly Ink[]) => {
      await fixture.load('duplex', sheets(...inks));
      const parameters = { resolution: 100, colorMode: 'Color', imageFormat };
      const { json } = await startScan(fixture, 'duplex', { parameters });
      return ended(fixture, json.id);
    };
    const [jpegs, pngs] = [await scanned('Jpeg', 1, 2, 3), await scanned('Png', 4, 5)];
    const written = async (...wanted: readonly (readonly [scan: typeof jpegs, page: number, rotate?: number])[]) => {
      const pages = wanted.map(([{ id: scan }, page, rotate]) => ({ scan, page, ...(rotate ? { rotate } : {}) }));
      const answer = await fixture.request('POST', '/api/documents', { body: { title: 'Two scans', pages } });
      t.equal(answer.status, 200);
      const file = join(folder, `${wanted.length}.pdf`);
      await writeFile(file, answer.bytes);
      return file;
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
