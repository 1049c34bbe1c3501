/** PDF documents, read by qpdf and poppler: pages, images, sizes, turns and what they say of themselves. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs, testPage } from '@platen/conformance';
import { toBilevelTiff, type DocumentPage, type RawPage, type Turn } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { checkedFile, decoded, jpegFile, objectsOf, pageOf, pdfOf, run } from './pages.test.kit.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const raw = (wishes: Parameters<typeof testPage>[0]): RawPage => testPage(wishes);
const png = (page: RawPage, options = {}): Promise<Buffer> => {
  const channels = page.pixels === 'gray8' ? 1 : 3;
  const image = sharp(page.data, { raw: { width: page.width, height: page.height, channels } });
  return (channels === 1 ? image.toColourspace('b-w') : image).png(options).toBuffer();
};
const tools = ['qpdf', 'pdfimages', 'pdftoppm'] as const;

/** The images of the file as poppler takes them out, in the order of the pages. */
async function imagesOf(folder: string, path: string): Promise<Buffer[]> {
  await run('pdfimages', ['-all', path, join(folder, 'image')]);
  const names = (await readdir(folder)).filter(name => name.startsWith('image')).sort();
  return Promise.all(names.map(name => readFile(join(folder, name))));
}

/** Its pixels in colour, at 72 dots per inch. */
async function pictureOf(path: string, page: number): Promise<RawPage> {
  const first = String(page);
  await run('pdftoppm', ['-png', '-r', '72', '-f', first, '-l', first, '-singlefile', path, `${path}.${page}`]);
  return decoded(await readFile(`${path}.${page}.png`));
}

void t.test('JPEG: byte for byte, baseline and progressive, grey and colour', async t => {
  if (!tools.every(tool => needs(t, tool))) return;
  const files = [
    await jpegFile(raw({ width: 300, height: 200 })),
    await jpegFile(raw({ width: 200, height: 300 }), { progressive: true }),
    await jpegFile(raw({ width: 61, height: 47, pixels: 'gray8' })),
    await jpegFile(raw({ width: 64, height: 48, pixels: 'gray8' }), { progressive: true }),
  ];
  const pages = await Promise.all(files.map((file, i) => pageOf(file, { pageNumber: i + 1 })));
  const folder = t.testdir();
  const found = await imagesOf(folder, await checkedFile(folder, await pdfOf(pages)));
  t.strictSame(found.map(sha256), files.map(sha256));
});

void t.test('lossless pages: the same pixels, in the smallest form for each', async t => {
  if (!tools.every(tool => needs(t, tool))) return;
  const [colour, grey, black] = [
    raw({ width: 301, height: 200 }),
    raw({ width: 199, height: 302, pixels: 'gray8' }),
    raw({ width: 203, height: 301, pixels: 'bw1', padding: 3 }),
  ];
  const none = Buffer.alloc(1);
  const pages = await Promise.all([
    pageOf(await png(colour), { pixels: refuse }),
    pageOf(await png(colour, { adaptiveFiltering: true, compressionLevel: 9 }), { pixels: refuse }),
    pageOf(await png(grey), { pixels: refuse }),
    pageOf(await png(colour, { progressive: true })),
    pageOf(await png(grey, { palette: true })),
    pageOf(none, { raw: colour }),
    pageOf(none, { raw: { ...grey, stride: grey.stride + 5, data: padded(grey, 5) } }),
    pageOf(none, { raw: black }),
  ]);
  const numbered = pages.map((page, i) => ({ ...page, pageNumber: i + 1 }));
  const folder = t.testdir();
  const path = await checkedFile(folder, await pdfOf(numbered));
  const found = await Promise.all((await imagesOf(folder, path)).slice(0, 7).map(decoded));
  const wanted = [colour, colour, grey, colour, await decoded(await png(grey, { palette: true })), colour, grey];
  found.forEach(({ data, width, height }, i) => {
    const its = wanted[i]!;
    t.strictSame([width, height], [its.width, its.height], `page ${i + 1}: size`);
    t.ok(
      Buffer.from(rgb(data, width, height)).equals(Buffer.from(rgb(its.data, width, height))),
      `page ${i + 1}: pixels`,
    );
  });
  const list = await run('pdfimages', ['-list', path]);
  const columns = list
    .trim()
    .split('\n')
    .slice(2)
    .map(line => line.trim().split(/\s+/));
  t.strictSame(
    columns.map(each => [each[5], each[7], each[8]]),
    [
      ...[0, 1].map(() => ['rgb', '8', 'image']),
      ['gray', '8', 'image'],
      ['rgb', '8', 'image'],
      ['gray', '8', 'image'].map((each, i) => (i === 0 ? columns[4]![5]! : each)),
      ['rgb', '8', 'image'],
      ['gray', '8', 'image'],
      ['gray', '1', 'ccitt'],
    ],
    'kinds',
  );
  await run('pdfimages', ['-png', '-f', '8', path, join(folder, 'fax')]);
  const its = await sharp(toBilevelTiff(black)).toColourspace('b-w').raw().toBuffer();
  const fax = await sharp(join(folder, 'fax-000.png')).toColourspace('b-w').raw().toBuffer();
  t.ok(fax.equals(its), '1-bit: black is black, every pixel in its place');
});

void t.test('page: size on paper, and turned', async t => {
  if (!tools.every(tool => needs(t, tool))) return;
  // Red, green, blue and white quarters, wider than high.
  const quarters = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff' } })
    .composite([
      { input: await quarter('#f00'), left: 0, top: 0 },
      { input: await quarter('#0f0'), left: 150, top: 0 },
      { input: await quarter('#00f'), left: 0, top: 100 },
    ])
    .png()
    .toBuffer();
  const turns: readonly Turn[] = [0, 90, 180, 270];
  const pages = await Promise.all(turns.map((turn, i) => pageOf(quarters, { turn, pageNumber: i + 1, dpi: 72 })));
  const folder = t.testdir();
  const path = await checkedFile(folder, await pdfOf(pages));
  const half = new Uint8Array(25 * 100).map((_, i) => (i % 25 < 10 ? 0xff : 0));
  const bits: RawPage = { ...raw({ pixels: 'bw1' }), width: 200, height: 100, stride: 25, data: half };
  const fax = await pageOf(Buffer.alloc(1), { raw: bits, dpi: 72, turn: 90 });
  const faxPath = await checkedFile(folder, await pdfOf([fax]), 'fax.pdf');
  const turned = await pictureOf(faxPath, 1);
  t.strictSame(
    [turned.width, turned.height, turned.data[0], turned.data.at(-1)],
    [100, 200, 0, 255],
    '1-bit: black above',
  );
  for (const [i, turn] of turns.entries()) {
    const seen = await pictureOf(path, i + 1);
    const wanted = await decoded(await sharp(quarters).rotate(turn).png().toBuffer());
    t.strictSame([seen.width, seen.height], [wanted.width, wanted.height], `${turn}°: size`);
    t.ok(differing(seen.data, wanted.data) < 0.01, `${turn}°: pixels, but for the edges`);
  }
});

void t.test('page: exact sizes, also of 5 m, 6 m and one pixel', async t => {
  if (!needs(t, 'qpdf')) return;
  const sizes = [
    { width: 2480, height: 3508, dpi: 300, box: [595.2, 841.92] },
    { width: 2550, height: 3300, dpi: 300, box: [612, 792] },
    { width: 827, height: 1169, dpi: 100, box: [595.44, 841.68] },
    { width: 1654, height: 39_371, dpi: 200, box: [595.44, 14_173.56] },
    { width: 1654, height: 47_245, dpi: 200, box: [297.72, 8504.1], unit: 2 },
    { width: 1, height: 1, dpi: 600, box: [3, 3] },
    { width: 1000, height: 1, dpi: 240, box: [300, 3] },
    { width: 700, height: 701, dpi: 299.5, box: [168.28047, 168.52087] },
  ];
  const pages = sizes.map(({ width, height, dpi }, i) => smallPage(i + 1, { width, height, dpi }));
  const path = await checkedFile(t.testdir(), await pdfOf(await Promise.all(pages)));
  const found = Object.values(await objectsOf(path)).filter(each => each.includes('"/Type":"/Page"'));
  t.strictSame(
    found.map(each => {
      const { '/MediaBox': box, '/UserUnit': unit } = JSON.parse(each) as Record<string, unknown>;
      return { box, unit };
    }),
    sizes.map(({ box, unit }) => ({ box: [0, 0, ...box], unit })),
  );
  const facts = await run('pdfinfo', ['-f', '4', '-l', '5', path]);
  t.match(facts, /Page +4 size: +595.44 x 14173.6 pts/);
});

void t.test('document: one page several times has its image once', async t => {
  if (!tools.every(tool => needs(t, tool))) return;
  const file = await jpegFile(raw({ width: 300, height: 200 }));
  const page = await pageOf(file);
  const pdf = await pdfOf([page, { ...page, turn: 90 }, page]);
  const path = await checkedFile(t.testdir(), pdf);
  t.match(await run('pdfinfo', [path]), /Pages: +3/);
  t.ok(pdf.length < file.length * 2, `${pdf.length} bytes of ${file.length}`);
  const [first, second, third] = [await pictureOf(path, 1), await pictureOf(path, 2), await pictureOf(path, 3)];
  t.strictSame([second.width, second.height], [first.height, first.width]);
  t.equal(differing(first.data, third.data), 0);
});

/** The share of values that differ by more than rounding. */
function differing(a: Uint8Array, b: Uint8Array): number {
  return a.filter((value, i) => Math.abs(value - b[i]!) > 3).length / a.length;
}

const refuse = async (): Promise<RawPage> => {
  throw new Error('the page was decoded');
};

function padded({ data, width, height }: RawPage, padding: number): Uint8Array {
  const rows = new Uint8Array((width + padding) * height).fill(0xaa);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + padding));
  return rows;
}

/** Grey as colour. */
function rgb(data: Uint8Array, width: number, height: number): Uint8Array {
  if (data.length === width * height * 3) return data;
  return Uint8Array.from({ length: width * height * 3 }, (_, i) => data[Math.floor(i / 3)]!);
}

async function quarter(background: string): Promise<Buffer> {
  return sharp({ create: { width: 150, height: 100, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Any size in a few bytes: white, 1-bit. */
async function smallPage(
  pageNumber: number,
  facts: Pick<DocumentPage, 'width' | 'height' | 'dpi'>,
): Promise<DocumentPage> {
  const stride = Math.ceil(facts.width / 8);
  const data = new Uint8Array(stride * facts.height);
  const page: RawPage = { kind: 'raw', sheet: 1, side: 'front', pixels: 'bw1', stride, data, ...facts };
  return pageOf(Buffer.alloc(1), { raw: page, pageNumber, ...facts });
}
