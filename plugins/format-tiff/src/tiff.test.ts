/** The format Tiff: the published suite, and its files parsed by hand and by sharp. */
import { formatContract, testPage, testPixel } from '@platen/conformance';
import { nullLog, toBilevelTiff, type RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import plugin from './plugin.js';
import { tiffFile } from './tiffFile.test.kit.js';
import { tiffFormat, type TiffOptions } from './tiff.js';

const format = tiffFormat();
const call = { signal: new AbortController().signal };
const encode = (page: RawPage) => format.encode(page, { quality: 90 }, call);
const decode = (bytes: Uint8Array) => format.decode!(bytes, call);
const compressions = ['none', 'lzw', 'deflate'] as const;

/** With the usual compression; with the others: tiffSuite.long.test.ts. */
void t.test('the published suite', t =>
  formatContract(t, {
    make: async () => ({ format, readBack: tiffFile }),
    features: { lossy: false, decodes: true, readsBack: true, bilevelDepth: 1, magic: 'TIFF' },
  }),
);

void t.test('encode: every compression, the same pixels in every kind', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    const page = testPage({ pixels, padding: 3 });
    const usual = await decode(await encode(page));
    for (const compression of compressions) {
      const seen = await decode(await tiffFormat({ compression }).encode(page, { quality: 90 }, call));
      t.ok(Buffer.from(seen.data).equals(usual.data), `${pixels} ${compression}`);
    }
  }
});

void t.test('encode: pixels that sharp reads, the same as the page', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (const [width, height, padding] of [
      [61, 47, 0],
      [61, 47, 5],
      [64, 9, 2],
      [1, 1, 0],
      [7, 300, 1],
    ] as const) {
      const { data, info } = await sharp(await encode(testPage({ width, height, pixels, padding })))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const wrong: string[] = [];
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const seen = [...data.subarray((y * width + x) * info.channels, (y * width + x + 1) * info.channels)];
          const value = testPixel(pixels, x, y);
          const wanted = pixels === 'bw1' ? [value[0] ? 0 : 255] : value;
          const channels = wanted.length === info.channels ? wanted : Array<number>(info.channels).fill(wanted[0]!);
          if (seen.join() !== channels.join()) wrong.push(`${x},${y}: ${seen.join()} not ${channels.join()}`);
        }
      }
      t.strictSame(wrong.slice(0, 3), [], `${pixels} ${width} x ${height}, padding ${padding}`);
    }
  }
});

void t.test('encode: the directory, grey as grey and 1-bit as G4 with white as zero', async t => {
  const facts = async (pixels: RawPage['pixels'], wishes?: TiffOptions) => {
    const { depth, compression, photometric } = tiffFile(
      await tiffFormat(wishes).encode(testPage({ pixels }), { quality: 90 }, call),
    );
    return { depth, compression, photometric };
  };
  const numbers = { none: 1, lzw: 5, deflate: 8 };
  for (const compression of compressions) {
    t.strictSame(await facts('rgb24', { compression }), {
      depth: 24,
      compression: numbers[compression],
      photometric: 2,
    });
    t.strictSame(await facts('gray8', { compression }), {
      depth: 8,
      compression: numbers[compression],
      photometric: 1,
    });
    t.strictSame(await facts('bw1', { compression }), { depth: 1, compression: 4, photometric: 0 });
  }
  t.strictSame(await facts('rgb24'), await facts('rgb24', { compression: 'lzw' }), 'LZW when nothing is asked for');
});

void t.test('encode: 1-bit, 1 is black', async t => {
  const page: RawPage = {
    ...testPage({ pixels: 'bw1' }),
    width: 12,
    height: 2,
    stride: 2,
    data: Uint8Array.of(0xff, 0xf0, 0, 0),
  };
  const wanted = [...Array<number>(12).fill(0), ...Array<number>(12).fill(255)];
  const file = await encode(page);
  t.strictSame([...(await sharp(file).toColourspace('b-w').raw().toBuffer())], wanted);
  // The code words themselves (ITU-T T.6): a row of black is horizontal mode, no white, twelve black. A reader that
  // does not look at the polarity sees black where the page is black.
  const bits = [...file.subarray(8, 16)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  t.match(bits, /^001001101010000111/, 'horizontal mode, white run of 0, black run of 12');
});

void t.test('resolution: exact', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (let dpi = 75; dpi <= 1200; dpi += pixels === 'gray8' ? 5 : 75) {
      const { resolution } = tiffFile(await encode(testPage({ width: 3, height: 3, pixels, dpi })));
      for (const [pixelsOf, inches] of resolution)
        if (pixelsOf !== dpi * inches) t.fail(`${pixels} at ${dpi} dpi: ${pixelsOf} in ${inches}`);
    }
  }
  t.equal((await sharp(await encode(testPage({ dpi: 240 }))).metadata()).density, 240, 'sharp reads it too');
});

void t.test('encode: a large 1-bit page, the same pixels', async t => {
  const [width, height] = [2483, 1501];
  const stride = Math.ceil(width / 8);
  // Without a pattern, but the same in every run.
  let state = 1;
  const data = new Uint8Array(stride * height).map(() => (state = (Math.imul(state, 1664525) + 1013904223) | 0) >>> 24);
  const page: RawPage = { ...testPage({ pixels: 'bw1' }), width, height, stride, data };
  const bytes = await encode(page);
  const wanted = await sharp(toBilevelTiff(page)).toColourspace('b-w').raw().toBuffer();
  t.ok(wanted.equals(await sharp(bytes).toColourspace('b-w').raw().toBuffer()), 'sharp sees the same pixels');
  const seen = await decode(bytes);
  t.strictSame([seen.pixels, seen.width, seen.height, seen.stride], ['bw1', width, height, stride]);
  t.ok(wanted.equals(await sharp(toBilevelTiff(seen)).toColourspace('b-w').raw().toBuffer()), 'so does decode');
});

void t.test('plugin: contributes the format with its compression', async t => {
  const sizes: number[] = [];
  const page = testPage({ width: 300, height: 300, pixels: 'gray8' });
  for (const compression of ['none', 'lzw'] as const) {
    const { formats } = await plugin.setup({ options: { compression }, log: nullLog, dataDir: '/' });
    t.strictSame(
      formats?.map(({ name, mimeType }) => [name, mimeType]),
      [['Tiff', 'image/tiff']],
    );
    sizes.push((await formats![0]!.encode(page, { quality: 90 }, call)).length);
  }
  t.ok(sizes[1]! < sizes[0]! / 2, `sizes ${sizes.join(', ')}`);
});

void t.test('decode: TIFFs of devices and other programs', async t => {
  const colour = sharp(testPage().data, { raw: { width: 64, height: 48, channels: 3 } });
  const grey = sharp(testPage({ pixels: 'gray8' }).data, { raw: { width: 64, height: 48, channels: 1 } }).toColourspace(
    'b-w',
  );
  const lossless = Buffer.from(testPage().data);
  for (const wishes of [
    { tile: true },
    { compression: 'packbits' },
    { bigtiff: true },
    { compression: 'lzw', predictor: 'none' },
  ] as const) {
    const { pixels, data } = await decode(
      await colour
        .clone()
        .tiff({ compression: 'none', ...wishes })
        .toBuffer(),
    );
    t.ok(pixels === 'rgb24' && lossless.equals(data), JSON.stringify(wishes));
  }
  t.equal(
    (await decode(await colour.clone().tiff({ compression: 'jpeg' }).toBuffer())).pixels,
    'rgb24',
    'JPEG in a TIFF',
  );
  const inks = await decode(await colour.clone().toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer());
  t.strictSame([inks.pixels, inks.data.length], ['rgb24', 64 * 3 * 48], 'CMYK becomes colour');
  const deep = await decode(await grey.clone().toColourspace('grey16').tiff({ compression: 'none' }).toBuffer());
  t.strictSame([deep.pixels, ...deep.data.subarray(0, 3)], ['gray8', 0, 4, 8], '16-bit grey becomes 8-bit');
  const clear = await decode(
    await sharp({ create: { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .tiff({ compression: 'none' })
      .toBuffer(),
  );
  t.strictSame([clear.pixels, [...clear.data]], ['rgb24', Array<number>(12).fill(255)], 'what is transparent is white');
  for (const miniswhite of [false, true]) {
    const fax = await decode(
      await sharp(toBilevelTiff(testPage({ pixels: 'bw1' })))
        .toColourspace('b-w')
        .tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite })
        .toBuffer(),
    );
    t.strictSame(
      [fax.pixels, Buffer.from(fax.data).equals(testPage({ pixels: 'bw1' }).data)],
      ['bw1', true],
      `either polarity (${miniswhite})`,
    );
  }
});

void t.test('decode: not a TIFF, truncated, or too many pixels, rejected', async t => {
  await t.rejects(decode(Buffer.from('not an image')), Error);
  await t.rejects(
    decode(
      await sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    ),
    /not a TIFF but png/,
  );
  // Other programs put the directory first: the header is whole, and the pixels are not.
  const early = toBilevelTiff(testPage({ pixels: 'bw1', width: 640, height: 480 }));
  await t.rejects(decode(early.subarray(0, early.length - 1000)), Error);
  const huge = toBilevelTiff(testPage({ width: 8, height: 8, pixels: 'bw1' }));
  const view = new DataView(huge.buffer, huge.byteOffset);
  for (const entry of [0, 1]) view.setUint32(8 + 2 + entry * 12 + 8, 30_000, true);
  await t.rejects(decode(huge), /pixel limit/);
});
