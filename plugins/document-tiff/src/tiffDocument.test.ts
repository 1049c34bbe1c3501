/** The document format Tiff: the published suite, what a document says of its pages, and its end. */
import { documentContract, testDocumentPage, type TestDocumentPage } from '@platen/conformance';
import { nullLog, type DocumentOptions, type DocumentPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import plugin from './plugin.js';
import { tiffDocument } from './tiffDocument.js';
import { imagesOf, readTiff, writtenBy } from './tiffImages.test.kit.js';

const compressions = ['none', 'lzw', 'deflate'] as const;
const written = (
  pages: Iterable<DocumentPage>,
  options: Partial<DocumentOptions> = {},
  format = tiffDocument(),
  onChunk?: (chunk: Buffer) => void,
) => writtenBy(format, pages, options, onChunk);
const pagesOf = (count: number): TestDocumentPage[] =>
  Array.from({ length: count }, (_, i) => testDocumentPage({ pageNumber: i + 1, width: 40 + i, pixels: 'gray8' }));

/** Their places in the file. */
function directoriesOf(file: Buffer): number[] {
  const places: number[] = [];
  for (let at = file.readUInt32LE(4); at !== 0; at = file.readUInt32LE(at + 2 + file.readUInt16LE(at) * 12))
    places.push(at);
  return places;
}

/** With the usual compression; with the others: tiffDocumentSuite.long.test.ts. */
void t.test('the published suite', t =>
  documentContract(t, {
    make: async () => ({ format: tiffDocument(), readBack: readTiff }),
    features: { pixels: true, lossy: false, text: false, title: true },
  }),
);

for (const compression of ['none', 'deflate'] as const) {
  void t.test(`document: compression ${compression}, the same pixels as the usual one`, async t => {
    const pages = pagesOf(2);
    const [own, usual] = [await written(pages, {}, tiffDocument({ compression })), await written(pages)];
    for (let page = 0; page < pages.length; page++) {
      const [one, other] = [own, usual].map(file => sharp(file, { page }).raw().toBuffer());
      t.ok((await one!).equals(await other!));
    }
  });
}

void t.test('plugin: contributes the format with its compression, LZW when nothing is asked for', async t => {
  const numbers = { none: 1, lzw: 5, deflate: 8 };
  for (const compression of compressions) {
    const { documents = [] } = await plugin.setup({ options: { compression }, log: nullLog, dataDir: '/' });
    t.match(documents, [{ name: 'Tiff', mimeType: 'image/tiff', extension: 'tiff', aliases: ['tif'] }]);
    const [image] = imagesOf(await written(pagesOf(1), {}, documents[0]));
    t.same(image?.numbers.get(259), [numbers[compression]]);
  }
  t.same(imagesOf(await written(pagesOf(1)))[0]?.numbers.get(259), [5]);
});

void t.test('document: each page, its number, resolution and depth; 1-bit as G4 with white as zero', async t => {
  const pages = (['rgb24', 'gray8', 'bw1'] as const).flatMap((pixels, i) =>
    ([0, 90] as const).map(turn => testDocumentPage({ pageNumber: i + 1, pixels, turn, dpi: 240 + i * 0.5 })),
  );
  const images = imagesOf(await written(pages));
  const facts = images.map(({ numbers }) => [258, 259, 262, 277].map(tag => numbers.get(tag)));
  const colour = [[8, 8, 8], [5], [2], [3]];
  const grey = [[8], [5], [1], [1]];
  const bilevel = [[1], [4], [0], [1]];
  t.strictSame(facts, [colour, colour, grey, grey, bilevel, bilevel]);
  for (const [i, { numbers }] of images.entries()) {
    t.strictSame(numbers.get(254), [2], 'NewSubfileType: a page of several');
    t.strictSame(numbers.get(297), [i, 0], 'PageNumber: the place in the document, of an unknown number');
    t.strictSame(numbers.get(296), [2], 'ResolutionUnit: inches');
    const wanted = [
      [240, 1],
      [240_500, 1000],
      [241, 1],
    ][Math.floor(i / 2)];
    t.strictSame([numbers.get(282), numbers.get(283)], [wanted, wanted], 'resolution, exact');
  }
});

void t.test('document: title, time and barcodes in each directory', async t => {
  const barcodes = [
    { text: 'PLATEN-1', barcodeType: 'QR_CODE', confidence: 1 },
    { text: '01\x1d23', barcodeType: 'CODE_128', confidence: 1 },
  ] as const;
  const pages = [testDocumentPage({ barcodes }), testDocumentPage({ pageNumber: 2 })];
  const createdAt = new Date(2026, 3, 4, 5, 6, 7).getTime();
  const options = { title: 'Größe (1)\n2', createdAt, barcodes: true };
  const [first, second] = imagesOf(await written(pages, options)).map(({ texts }) => texts);
  t.equal(first?.get(269), 'Größe (1) 2\0', 'DocumentName: UTF-8, and a control character is a space');
  t.equal(second?.get(269), first?.get(269));
  t.equal(first?.get(306), '2026:04:04 05:06:07\0', 'DateTime: in the local time');
  t.equal(first?.get(270), 'PLATEN-1; 01 23\0', 'ImageDescription');
  t.equal(second?.get(270), undefined);
  const [bare] = imagesOf(await written(pages, { barcodes: false })).map(({ texts }) => texts);
  t.strictSame([...(bare?.keys() ?? [])], [306]);
});

void t.test('document: each directory before the next page’s data, and after its own', async t => {
  const events: (number | string)[] = [];
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    for (const page of pagesOf(3)) {
      events.push(`page ${page.pageNumber}`);
      yield page;
    }
    events.push('end');
  }
  const call = { signal: new AbortController().signal };
  let length = 0;
  for await (const chunk of tiffDocument().write(pages(), { createdAt: 0, barcodes: false }, call)) {
    if (length === 0) t.equal(Buffer.from(chunk).toString('latin1', 0, 4), 'II*\0');
    length += chunk.length;
    events.push(length);
  }
  const whole = await written(pagesOf(3));
  t.equal(length, whole.length);
  // The last chunk before a page is requested is the end of the data: its directory begins there.
  const requested = events.flatMap((event, i) => (typeof event === 'string' && i > 0 ? [events[i - 1]] : []));
  t.strictSame(requested, directoriesOf(whole));
});

void t.test('document: 300 pages, all read', async t => {
  const page = testDocumentPage({ width: 20, height: 10, pixels: 'gray8' });
  function* pages(): Generator<DocumentPage> {
    for (let pageNumber = 1; pageNumber <= 300; pageNumber++) yield { ...page, pageNumber };
  }
  const bytes = await written(pages());
  const images = imagesOf(bytes);
  t.equal(images.length, 300);
  t.strictSame(images.at(-1)?.numbers.get(297), [299, 0]);
  t.equal((await sharp(bytes, { page: 299 }).metadata()).width, 20);
});

void t.test('document: the largest place, `unsupported` beyond it and nothing of the page', async t => {
  const whole = await written(pagesOf(3));
  const most = tiffDocument({}, whole.length);
  t.ok(whole.equals(await written(pagesOf(3), {}, most)), 'it may be as large as that');
  const less = tiffDocument({}, whole.length - 1);
  const chunks: Buffer[] = [];
  await t.rejects(
    written(pagesOf(3), {}, less, chunk => chunks.push(chunk)),
    { code: 'unsupported' },
  );
  t.ok(Buffer.concat(chunks).equals(whole.subarray(0, directoriesOf(whole)[1])), 'all before directory 2');
});
