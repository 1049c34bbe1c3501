/** Which TIFF files go into a document as they are, and which are decoded and encoded again. */
import { testDocumentPage, testPage } from '@platen/conformance';
import { packedRows, toBilevelTiff, type DocumentPage, type Pixels } from '@platen/core/plugin';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import t from 'tap';
import { tiffDocument } from './tiffDocument.js';
import { imagesOf, writtenBy } from './tiffImages.test.kit.js';

const size = { width: 200, height: 300 };
const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

function imageOf(pixels: Pixels): Sharp {
  const page = testPage({ ...size, pixels });
  if (pixels === 'bw1') return sharp(toBilevelTiff(page)).toColourspace('b-w');
  const image = sharp(packedRows(page), { raw: { ...size, channels: pixels === 'rgb24' ? 3 : 1 } });
  return pixels === 'rgb24' ? image : image.toColourspace('b-w');
}

const lzw: TiffOptions = { compression: 'lzw', predictor: 'horizontal' };
const fileOf = (pixels: Pixels, options: TiffOptions = lzw): Promise<Buffer> =>
  imageOf(pixels).tiff(options).toBuffer();

/** A document of one page, and how often the page was decoded. */
async function documentOf(
  file: Buffer,
  more: Partial<DocumentPage> = {},
  pixels: Pixels = 'rgb24',
): Promise<{ bytes: Buffer; decoded: number }> {
  let decoded = 0;
  const page = testDocumentPage({ ...size, pixels, mimeType: 'image/tiff', file });
  const counted: DocumentPage = {
    ...page,
    pixels() {
      decoded++;
      return page.pixels();
    },
    ...more,
  };
  return { bytes: await writtenBy(tiffDocument(), [counted]), decoded };
}

/** The file with one entry of its directory changed. */
function patched(file: Buffer, tag: number, change: (entry: Buffer, file: Buffer) => void): Buffer {
  const copy = Buffer.from(file);
  const at = copy.readUInt32LE(4);
  const entries = Array.from({ length: copy.readUInt16LE(at) }, (_, i) =>
    copy.subarray(at + 2 + i * 12, at + 14 + i * 12),
  );
  const entry = entries.find(each => each.readUInt16LE(0) === tag);
  if (!entry) throw new Error(`no tag ${tag}`);
  change(entry, copy);
  return copy;
}

/** The file with another place, or another length, of all its strips. */
function ofEveryStrip(file: Buffer, tag: 273 | 279, value: (file: Buffer) => number): Buffer {
  return patched(file, tag, (entry, copy) => {
    const [type, count, values] = [entry.readUInt16LE(2), entry.readUInt32LE(4), entry.readUInt32LE(8)];
    if (type !== 4 || count < 2) throw new Error('no list of long numbers');
    for (let i = 0; i < count; i++) copy.writeUInt32LE(value(file), values + i * 4);
  });
}

void t.test('plain files: every strip as it is in the file, nothing decoded', async t => {
  const kinds: [Pixels, TiffOptions][] = [
    ...everyPixels.map((pixels): [Pixels, TiffOptions] => [pixels, { compression: 'none' }]),
    ['rgb24', lzw],
    ['gray8', lzw],
    ['rgb24', { compression: 'deflate', predictor: 'none' }],
    ['bw1', { compression: 'ccittfax4', bitdepth: 1, miniswhite: true }],
    ['bw1', { compression: 'ccittfax4', bitdepth: 1, miniswhite: false }],
  ];
  for (const [pixels, options] of kinds) {
    const file = await fileOf(pixels, options);
    const { bytes, decoded } = await documentOf(file, {}, pixels);
    const [[image], [own]] = [imagesOf(bytes), imagesOf(file)];
    const what = `${pixels}, ${JSON.stringify(options)}`;
    t.equal(decoded, 0, what);
    t.strictSame(image?.strips, own?.strips, what);
    for (const tag of [256, 257, 258, 259, 262, 277, 278, 317])
      t.strictSame(image?.numbers.get(tag), own?.numbers.get(tag), `${what}: tag ${tag}`);
  }
});

void t.test('plain files: strips that lie apart, put together', async t => {
  const file = await fileOf('gray8', { compression: 'none' });
  const [own] = imagesOf(file);
  t.ok(own!.strips.length > 1, 'several strips');
  // The same strips in another order, after the file, each with a gap before it.
  const places: number[] = [];
  let apart = file;
  for (const [i, strip] of [...own!.strips.entries()].toReversed()) {
    apart = Buffer.concat([apart, Buffer.alloc(7, 0xaa), strip]);
    places[i] = apart.length - strip.length;
  }
  const moved = patched(apart, 273, (entry, file) => {
    for (const [i, place] of places.entries()) file.writeUInt32LE(place, entry.readUInt32LE(8) + i * 4);
  });
  const { bytes, decoded } = await documentOf(moved, {}, 'gray8');
  t.equal(decoded, 0);
  t.strictSame(imagesOf(bytes)[0]?.strips, own!.strips);
});

void t.test('other files: decoded, and the page is in the document', async t => {
  const plain = await fileOf('rgb24');
  const grey = await fileOf('gray8');
  const image = imageOf('rgb24');
  const several = await sharp([plain, plain], { join: { animated: true } })
    .tiff(lzw)
    .toBuffer();
  const files: Record<string, Buffer> = {
    tiles: await image
      .clone()
      .tiff({ ...lzw, tile: true })
      .toBuffer(),
    BigTIFF: await image
      .clone()
      .tiff({ ...lzw, bigtiff: true })
      .toBuffer(),
    'JPEG data': await image.clone().tiff({ compression: 'jpeg' }).toBuffer(),
    PackBits: await image.clone().tiff({ compression: 'packbits' }).toBuffer(),
    'a colour profile': await image.clone().withIccProfile('p3').tiff(lzw).toBuffer(),
    orientation: await image.clone().withMetadata({ orientation: 6 }).tiff(lzw).toBuffer(),
    transparency: await image.clone().ensureAlpha(0.5).tiff(lzw).toBuffer(),
    '16 bits': await imageOf('gray8').toColourspace('grey16').tiff(lzw).toBuffer(),
    'inks instead of colours': await image.clone().toColourspace('cmyk').tiff(lzw).toBuffer(),
    'several images': several,
    'big-endian': await bigEndian(),
    'another image': await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .tiff(lzw)
      .toBuffer(),
    'not a TIFF': Buffer.from('II*, this is not a TIFF'),
    'a file of four bytes': Buffer.from('II*\0'),
    'a directory beyond the end': Buffer.from('II*\0\xff\xff\0\0', 'latin1'),
    'a directory in the header': Buffer.from('II*\0\x04\0\0\0\0\0\0\0\0\0\0\0', 'latin1'),
    'a value beyond the end': patched(plain, 258, entry => entry.writeUInt32LE(plain.length, 8)),
    'an unknown type': patched(plain, 258, entry => entry.writeUInt16LE(12, 2)),
    'an unknown tag': patched(plain, 339, entry => entry.writeUInt16LE(40_000, 0)),
    'bits from the end of a byte': patched(grey, 339, entry => {
      entry.writeUInt16LE(266, 0);
      entry.writeUInt16LE(2, 8);
    }),
    'strips beyond the end': patched(plain, 273, (entry, file) =>
      file.writeUInt32LE(file.length - 1, entry.readUInt32LE(8)),
    ),
    'strips that share their bytes': ofEveryStrip(
      ofEveryStrip(plain, 273, () => 8),
      279,
      file => file.length - 8,
    ),
    'grey of three samples': patched(plain, 262, entry => entry.writeUInt16LE(1, 8)),
    'colour of one sample': patched(grey, 262, entry => entry.writeUInt16LE(2, 8)),
    'more strips than rows need': patched(plain, 278, entry => entry.writeUInt16LE(300, 8)),
    'strips of no rows': patched(plain, 278, entry => entry.writeUInt16LE(0, 8)),
    'no width': patched(plain, 256, entry => entry.writeUInt16LE(271, 0)),
    'no places of strips': patched(plain, 273, entry => entry.writeUInt16LE(271, 0)),
    'no lengths of strips': patched(plain, 279, entry => entry.writeUInt16LE(272, 0)),
    'no compression': patched(plain, 259, entry => entry.writeUInt16LE(305, 0)),
  };
  const wanted = packedRows(testPage(size));
  for (const [what, file] of Object.entries(files)) {
    const { bytes, decoded } = await documentOf(file);
    t.equal(decoded, 1, what);
    t.equal(imagesOf(bytes).length, 1, what);
    t.ok((await sharp(bytes).raw().toBuffer()).equals(wanted), `${what}: the pixels of the page`);
  }
});

void t.test('a turned page: decoded, though its file is plain', async t => {
  const { bytes, decoded } = await documentOf(await fileOf('rgb24'), { turn: 90 });
  t.equal(decoded, 1);
  t.same(imagesOf(bytes)[0]?.numbers.get(256), [size.height]);
});

void t.test('a file that is not as long as its page says: storage-failed, and nothing of it', async t => {
  const file = await fileOf('rgb24');
  for (const difference of [-1, 1]) {
    const chunks: Buffer[] = [];
    const page = { ...testDocumentPage({ ...size, mimeType: 'image/tiff', file }), size: file.length + difference };
    await t.rejects(
      writtenBy(tiffDocument(), [page], {}, chunk => chunks.push(chunk)),
      { code: 'storage-failed' },
    );
    t.equal(chunks.length, 0);
  }
});

/** The same image in the other order of bytes, as testFile writes it. */
async function bigEndian(): Promise<Buffer> {
  const page = testDocumentPage({ ...size, mimeType: 'image/tiff' });
  const slices: Uint8Array[] = [];
  for await (const slice of page.read()) slices.push(slice);
  return Buffer.concat(slices);
}
