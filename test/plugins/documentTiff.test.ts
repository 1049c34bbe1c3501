/** Multi-page TIFFs of pages that our formats wrote, read by independent programs: libtiff's tools, ImageMagick. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lacking, needs, testDocumentPage, testFile, testFileTypes, testPage, flatPage } from '@platen/conformance';
import { nullLog, type DocumentPage, type Format, type Pixels, type Turn } from '@platen/core/plugin';
import documentTiff from '@platen/document-tiff';
import jpeg from '@platen/format-jpeg';
import png from '@platen/format-png';
import tiff from '@platen/format-tiff';
import sharp from 'sharp';
import t from 'tap';

const run = promisify(execFile);
const context = { log: nullLog, dataDir: '/' };
const call = { signal: new AbortController().signal };
const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

const formats: readonly Format[] = [
  ...((await tiff.setup({ ...context, options: { compression: 'lzw' } })).formats ?? []),
  ...((await png.setup({ ...context, options: { compressionLevel: 2 } })).formats ?? []),
  ...((await jpeg.setup({ ...context, options: {} })).formats ?? []),
];
const [document] = (await documentTiff.setup({ ...context, options: { compression: 'lzw' } })).documents ?? [];
if (!document) throw new Error('the plugin contributes no document format');

/** A page as a kept scan has it: a file of a format, which that format decodes. */
async function pageOf(format: Format, pixels: Pixels, pageNumber: number, turn: Turn): Promise<DocumentPage> {
  const content = testPage({ width: 300 + pageNumber, height: 200, dpi: 75 * pageNumber, pixels });
  const file = await format.encode(content, { quality: 90 }, call);
  const page = testDocumentPage({ pageNumber, content, turn, file });
  return {
    ...page,
    mimeType: format.mimeType,
    pixels: async () => ({ ...content, ...(await format.decode!(file, call)) }),
  };
}

async function written(given: readonly DocumentPage[], title?: string): Promise<Buffer> {
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    yield* given;
  }
  const options = { createdAt: 0, barcodes: false, ...(title === undefined ? {} : { title }) };
  const chunks: Buffer[] = [];
  for await (const chunk of document!.write(pages(), options, call)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const pages: DocumentPage[] = [];
for (const format of formats)
  for (const pixels of everyPixels)
    pages.push(await pageOf(format, pixels, pages.length + 1, ([0, 90, 180, 270] as const)[pages.length % 4]!));

/** Width and height as shown, and the resolution. */
const wanted = pages.map(({ width, height, turn, dpi }) =>
  [...(turn % 180 === 0 ? [width, height] : [height, width]), dpi].join(' '),
);

void t.test('document-tiff: libtiff finds every page, and nothing to warn of', async t => {
  if (!needs(t, 'tiffinfo')) return;
  const file = join(t.testdir(), 'pages.tif');
  await writeFile(file, await written(pages, 'Größe'));
  // -D reads the data as well.
  const { stdout, stderr } = await run('tiffinfo', ['-D', file]);
  t.equal(stderr, '');
  const each = stdout.split(/=== TIFF directory \d+ ===/).slice(1);
  const found = each.map(text => {
    const [, width, height] = /Image Width: (\d+) Image Length: (\d+)/.exec(text) ?? [];
    const [, dpi] = /Resolution: (\d+), \1 pixels\/inch/.exec(text) ?? [];
    return [width, height, dpi].join(' ');
  });
  t.strictSame(found, wanted);
  t.ok(
    each.every((text, i) => text.includes(`Page Number: ${i}-0`) && text.includes('DocumentName: Größe')),
    'page numbers and title',
  );
});

void t.test('document-tiff: ImageMagick reads every page, in its size and resolution', async t => {
  if (!needs(t, 'identify')) return;
  const file = join(t.testdir(), 'pages.tif');
  await writeFile(file, await written(pages));
  const { stdout } = await run('identify', ['-units', 'PixelsPerInch', '-format', '%w %h %x %C\n', file]);
  const found = stdout.trim().split('\n');
  const compressions = pages.map((_, i) => (everyPixels[i % 3] === 'bw1' && i < 6 ? 'Group4' : 'LZW'));
  t.strictSame(
    found,
    wanted.map((facts, i) => `${facts} ${compressions[i]}`),
  );
});

void t.test('document-tiff: sharp reads the pixels of every page, turned', async t => {
  const bytes = await written(pages);
  for (const [i, page] of pages.entries()) {
    const { width, height, stride, data, pixels } = await page.pixels();
    t.equal(pixels, i < 6 ? everyPixels[i % 3] : pixels);
    if (pixels === 'bw1') continue;
    const image = sharp(data, { raw: { width, height, channels: pixels === 'rgb24' ? 3 : 1 } });
    t.equal(stride, width * (pixels === 'rgb24' ? 3 : 1));
    const turned = await image.rotate(page.turn).toColourspace('srgb').raw().toBuffer();
    const seen = await sharp(bytes, { page: i }).toColourspace('srgb').raw().toBuffer();
    t.ok(turned.equals(seen), `page ${i + 1}`);
  }
});

void t.test('document-tiff: tiffcp splits it into the files that went in', { skip: lacking('tiffcp') }, async t => {
  const plain = await Promise.all(everyPixels.map((pixels, i) => pageOf(formats[0]!, pixels, i + 1, 0)));
  const folder = t.testdir();
  const file = join(folder, 'pages.tif');
  await writeFile(file, await written(plain));
  for (const [i, page] of plain.entries()) {
    const one = join(folder, `${i}.tif`);
    await run('tiffcp', [`${file},${i}`, one]);
    const original: Buffer[] = [];
    for await (const slice of page.read()) original.push(Buffer.from(slice));
    const seen = await sharp(one).raw().toBuffer();
    t.ok(seen.equals(await sharp(Buffer.concat(original)).raw().toBuffer()), `page ${i + 1}`);
  }
});

void t.test('testFile: sharp reads the pixels that the page has', async t => {
  for (const mimeType of testFileTypes) {
    for (const pixels of everyPixels) {
      if (mimeType === 'image/jpeg' && pixels === 'bw1') continue;
      const wishes = { width: 61, height: 47, dpi: 240 } as const;
      const page =
        mimeType === 'image/jpeg' && pixels !== 'bw1'
          ? flatPage({ ...wishes, pixels })
          : testPage({ ...wishes, pixels });
      const what = `${pixels} as ${mimeType}`;
      const image = sharp(testFile(page, mimeType));
      const { width, height, density } = await image.metadata();
      t.strictSame([width, height, density], [61, 47, 240], what);
      const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
      const worst = Math.max(
        ...Array.from(data, (value, at) => {
          const pixel = Math.floor(at / info.channels);
          const [x, y] = [pixel % width, Math.floor(pixel / width)];
          const bit = page.data[y * page.stride + (x >> 3)]! & (0x80 >> (x & 7));
          const own = {
            rgb24: () => page.data[y * page.stride + x * 3 + (at % info.channels)]!,
            gray8: () => page.data[y * page.stride + x]!,
            bw1: () => (bit ? 0 : 255),
          };
          return Math.abs(value - own[pixels]());
        }),
      );
      t.ok(worst <= (mimeType === 'image/jpeg' ? 4 : 0), `${what}: differs by up to ${worst}`);
    }
  }
});
