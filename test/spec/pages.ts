/** Resources, image: the pages of a scan, their numbers, sides, sources and sizes. */
import { millimetres } from '@platen/core/driver';
import sharp from 'sharp';
import { pixels, sheets, whichSide } from '../topology/sheets.js';
import { fileOf, inksOf, scan } from './calls.js';
import { spec } from './specTest.js';

export const pages = [
  spec(
    'Resources, image: every field matches the file in it',
    ['resources.image.fields', 'resources.image.ocrText', 'resources.image.barcodes'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      const { json } = await scan(fixture, 'duplex', { resolution: 100, colorMode: 'Color' });
      const [image] = json.images;
      const { base64Data, ...facts } = image ?? { base64Data: '' };
      const file = fileOf(image);
      t.same(facts, {
        mimeType: 'image/png',
        pageNumber: 1,
        width: 850,
        height: 1100,
        resolution: 100,
        format: 'Png',
        fileSizeBytes: file.length,
        ocrText: '',
        barcodes: [],
      });
      t.match(await sharp(file).metadata(), { format: 'png', width: 850, height: 1100 });
      t.equal(file.toString('base64'), base64Data);
    },
    ['duplex'],
  ),

  spec(
    'Resources, image: pageNumber counts sides from 1; both sides of every sheet, front before back',
    ['resources.image.pageNumber', 'resources.enumerations.duplexModes', 'resources.parameters.duplexMode'],
    async (t, fixture) => {
      await fixture.load('duplex', [{ front: 1, back: 2 }, { front: 3 }, { front: 4, back: 5 }]);
      const { json } = await scan(fixture, 'duplex', {
        resolution: 75,
        colorMode: 'Color',
        duplexMode: 'DuplexLongEdge',
      });
      t.same(
        json.images.map(image => image.pageNumber),
        [1, 2, 3, 4, 5, 6],
      );
      const inks = await inksOf(json);
      t.same([inks[0], inks[1], inks[2], inks[4], inks[5]], [1, 2, 3, 4, 5]);
      const blank = await sharp(fileOf(json.images[3])).stats();
      t.ok(
        blank.channels.every(channel => channel.min === 255),
        'a blank side is a page',
      );
      t.equal(json.imageCount, 6);
    },
    ['duplex'],
  ),

  spec(
    'Resources, enumerations: Simplex scans the fronts only',
    'resources.enumerations.duplexModes',
    async (t, fixture) => {
      await fixture.load('duplex', [
        { front: 1, back: 2 },
        { front: 3, back: 4 },
      ]);
      const { json } = await scan(fixture, 'duplex', { resolution: 75, colorMode: 'Color', duplexMode: 'Simplex' });
      t.same(await inksOf(json), [1, 3]);
      t.same(
        json.images.map(image => image.pageNumber),
        [1, 2],
      );
    },
    ['duplex'],
  ),

  spec(
    'Resources, enumerations: DuplexShortEdge turns the backs, DuplexLongEdge does not',
    'resources.enumerations.duplexModes',
    async (t, fixture) => {
      for (const duplexMode of ['DuplexLongEdge', 'DuplexShortEdge']) {
        await fixture.load('duplex', [{ front: 1, back: 2 }]);
        const { json } = await scan(fixture, 'duplex', {
          resolution: 75,
          colorMode: 'Color',
          duplexMode,
          report: true,
        });
        const [front, back] = await Promise.all(json.images.map(image => whichSide(fileOf(image))));
        t.same(front, { ink: 1, upright: true }, duplexMode);
        t.same(back, { ink: 2, upright: duplexMode === 'DuplexLongEdge' }, 'the tray’s file is turned like the paper');
        if (duplexMode === 'DuplexShortEdge')
          t.match(
            json.images[1]?.report?.find(({ parameter }) => parameter === 'duplexMode'),
            { requested: duplexMode, result: 'applied' },
          );
      }
    },
    ['duplex'],
  ),

  spec(
    'Resources, enumerations: every page size has its dimensions',
    ['resources.enumerations.pageSizes', 'resources.parameters.pageSize'],
    async (t, fixture) => {
      for (const pageSize of ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5'] as const) {
        await fixture.load('duplex', [{ front: 4, size: pageSize }]);
        const { json } = await scan(fixture, 'duplex', { resolution: 150, pageSize });
        const { width, height } = millimetres[pageSize];
        t.match(json.images[0], { width: pixels(width, 150), height: pixels(height, 150), resolution: 150 }, pageSize);
        t.notMatch(json.message, /pageSize/);
      }
      const inches = ({ width, height }: { width: number; height: number }) =>
        [width / 25.4, height / 25.4].map(value => Math.round(value * 100) / 100);
      t.same(
        [inches(millimetres.Letter), inches(millimetres.Legal)],
        [
          [8.5, 11],
          [8.5, 14],
        ],
      );
      t.same(millimetres.B5, { width: 182, height: 257 }, 'the Japanese B5');
    },
    ['duplex'],
  ),

  spec(
    'Resources, enumerations: Auto is the detected sheet size',
    'resources.enumerations.pageSizes',
    async (t, fixture) => {
      await fixture.load('duplex', [
        { front: 4, size: 'A5' },
        { front: 4, size: 'A6' },
      ]);
      const { json } = await scan(fixture, 'duplex', { resolution: 75, pageSize: 'Auto' });
      const expected = [millimetres.A5, millimetres.A6].map(({ width, height }) => ({
        width: pixels(width, 75),
        height: pixels(height, 75),
      }));
      t.same(
        json.images.map(({ width, height }) => ({ width, height })),
        expected,
      );
    },
    ['duplex'],
  ),

  spec(
    'Resources, parameters: a page size larger than the scanner’s is scanned at its largest, and message reports it',
    ['resources.parameters.pageSize', 'resources.parameters.defaults'],
    async (t, fixture) => {
      await fixture.load('small', [{ front: 1, size: 'A6' }]);
      const { status, json } = await scan(fixture, 'small', { resolution: 150, pageSize: 'Letter' });
      t.equal(status, 200);
      const { width, height } = millimetres.Executive;
      t.match(json.images[0], { width: pixels(width, 150), height: pixels(height, 150) });
      t.match(json.message, /pageSize Letter is larger .*Executive/);
    },
    ['small'],
  ),

  spec(
    'Resources, scanner: with a feeder and a flatbed, scans from the feeder while it has paper, else from the flatbed',
    'resources.scanner.fields',
    async (t, fixture) => {
      await fixture.load('both', sheets(1, 2));
      const fed = await scan(fixture, 'both', { resolution: 75, colorMode: 'Color' });
      t.same(await inksOf(fed.json), [1, 2]);
      const flatbed = await scan(fixture, 'both', { resolution: 75, colorMode: 'Color' });
      t.match(flatbed.json, { success: true, imageCount: 1 });
      const again = await scan(fixture, 'both', { resolution: 75, colorMode: 'Color' });
      t.equal(
        again.json.images[0]?.base64Data,
        flatbed.json.images[0]?.base64Data,
        'the document on the flatbed stays there',
      );
    },
    ['both'],
  ),

  spec(
    'Resources, image: fifty sheets, fifty pages in order',
    'resources.image.pageNumber',
    async (t, fixture) => {
      const inks = Array.from({ length: 50 }, (_, at) => (at % 2 ? 1 : 4) as 1 | 4);
      await fixture.load('duplex', sheets(...inks));
      const { json } = await scan(fixture, 'duplex', { resolution: 75, pageSize: 'A6', imageFormat: 'Jpeg' });
      t.equal(json.imageCount, 50);
      t.same(await inksOf(json), inks);
      t.same(
        json.images.map(image => image.pageNumber),
        inks.map((_, at) => at + 1),
      );
    },
    ['duplex'],
  ),
];
