/** The format Png: the published suite, and its files parsed by hand and by sharp. */
import { randomFillSync } from 'node:crypto';
import { formatContract, testPage, testPixel } from '@platen/conformance';
import { nullLog, toBilevelTiff, type RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import plugin from './plugin.js';
import { pngFormat } from './png.js';
import { pngFile } from './pngFile.test.kit.js';
import { createStripEncoder } from './strips/stripEncoder.js';

const strips = createStripEncoder();
t.teardown(strips.close);
const format = pngFormat(strips);
const call = { signal: new AbortController().signal };
const encode = (page: RawPage) => format.encode(page, { quality: 90 }, call);
const decode = (bytes: Uint8Array) => format.decode!(bytes, call);

void t.test('the published suite', t =>
  formatContract(t, {
    make: async () => ({ format: pngFormat(strips), readBack: pngFile }),
    features: { lossy: false, decodes: true, readsBack: true, bilevelDepth: 1, magic: 'PNG' },
  }),
);

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

void t.test('encode: colour types, grey for grey and 1-bit, no palette', async t => {
  const facts = async (pixels: RawPage['pixels']) => {
    const { bitDepth, colourType } = pngFile(await encode(testPage({ pixels })));
    return { bitDepth, colourType };
  };
  t.strictSame(await facts('rgb24'), { bitDepth: 8, colourType: 2 });
  t.strictSame(await facts('gray8'), { bitDepth: 8, colourType: 0 });
  t.strictSame(await facts('bw1'), { bitDepth: 1, colourType: 0 });
});

void t.test('resolution: the nearest integer of pixels per metre', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (let dpi = 75; dpi <= 1200; dpi += 25) {
      const { perMetre } = pngFile(await encode(testPage({ width: 3, height: 3, pixels, dpi })));
      const wanted = Math.round(dpi / 0.0254);
      if (perMetre[0] !== wanted || perMetre[1] !== wanted)
        t.fail(`${pixels} at ${dpi} dpi: ${perMetre.join(' x ')}, not ${wanted}`);
    }
  }
});

void t.test('encode: a 1-bit page larger than one piece, the same pixels', async t => {
  const [width, height] = [4967, 3001];
  const stride = Math.ceil(width / 8);
  const page: RawPage = {
    ...testPage({ pixels: 'bw1' }),
    width,
    height,
    stride,
    data: randomFillSync(new Uint8Array(stride * height)),
  };
  const bytes = await encode(page);
  t.ok(pngFile(bytes).chunks.filter(type => type === 'IDAT').length > 1, 'several IDAT chunks');
  const wanted = await sharp(toBilevelTiff(page)).toColourspace('b-w').raw().toBuffer();
  t.ok(wanted.equals(await sharp(bytes).toColourspace('b-w').raw().toBuffer()), 'the same pixels');
});

void t.test('encode: a 1-bit page at 600 dpi, the event loop is not blocked', async t => {
  const [width, height] = [4960, 7016];
  const page: RawPage = {
    ...testPage({ pixels: 'bw1' }),
    width,
    height,
    dpi: 600,
    stride: width / 8,
    data: randomFillSync(new Uint8Array((width / 8) * height)),
  };
  let turns = 0;
  let working = true;
  const turn = () => {
    turns++;
    if (working) setImmediate(turn);
  };
  setImmediate(turn);
  await encode(page);
  working = false;
  // 4.3 MB in pieces of 256 KB: each piece waits for zlib's thread at least once.
  t.ok(turns >= 17, `the event loop turned ${turns} times`);
});

void t.test('encode: aborted on its way, rejects with the reason', async t => {
  const page: RawPage = {
    ...testPage({ pixels: 'bw1' }),
    width: 8192,
    height: 8192,
    stride: 1024,
    data: randomFillSync(new Uint8Array(1024 * 8192)),
  };
  const controller = new AbortController();
  const reason = new Error('enough');
  setImmediate(() => controller.abort(reason));
  await t.rejects(format.encode(page, { quality: 90 }, { signal: controller.signal }), reason);
});

void t.test('plugin: contributes the format with its compression level', async t => {
  const sizes: number[] = [];
  const page = testPage({ width: 300, height: 300, pixels: 'bw1' });
  for (const compressionLevel of [0, 9]) {
    const { formats } = await plugin.setup({ options: { compressionLevel }, log: nullLog, dataDir: '/' });
    t.strictSame(
      formats?.map(each => each.name),
      ['Png'],
    );
    sizes.push((await formats![0]!.encode(page, { quality: 90 }, call)).length);
  }
  t.ok(sizes[1]! < sizes[0]! / 2, `sizes ${sizes.join(', ')}`);
});

void t.test('decode: PNGs of other programs', async t => {
  const grey = sharp(testPage({ pixels: 'gray8' }).data, { raw: { width: 64, height: 48, channels: 1 } });
  const paletted = await decode(await grey.clone().threshold().png({ palette: true, colours: 2 }).toBuffer());
  t.strictSame([paletted.pixels, paletted.stride], ['rgb24', 64 * 3], 'a palette is colour');
  const deep = await decode(await grey.clone().toColourspace('grey16').png().toBuffer());
  t.strictSame([deep.pixels, deep.data.length], ['gray8', 64 * 48], '16-bit grey becomes 8-bit');
  t.strictSame([...deep.data.subarray(0, 4)], [0, 4, 8, 12]);
  const clear = await decode(
    await sharp({ create: { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer(),
  );
  t.strictSame([clear.pixels, [...clear.data]], ['rgb24', Array<number>(12).fill(255)], 'what is transparent is white');
});

void t.test('decode: not a PNG, or too many pixels, rejected', async t => {
  await t.rejects(decode(Buffer.from('not an image')), Error);
  await t.rejects(
    decode(
      await sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } })
        .jpeg()
        .toBuffer(),
    ),
    /not a PNG but jpeg/,
  );
  const huge = Buffer.from(await encode(testPage({ width: 8, height: 8 })));
  huge.writeUInt32BE(30_000, 16);
  huge.writeUInt32BE(30_000, 20);
  const { crc32 } = await import('node:zlib');
  huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29);
  await t.rejects(decode(huge), /pixel limit/);
});
