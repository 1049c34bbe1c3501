/** The format Jpeg: the published suite, and its files parsed by hand and by sharp. */
import { formatContract, testPage, testPixel } from '@platen/conformance';
import { nullLog, toBilevelTiff, type RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { jpegFormat } from './jpeg.js';
import plugin from './plugin.js';
import { jpegFile } from './jpegFile.test.kit.js';

const format = jpegFormat();
const call = { signal: new AbortController().signal };
const encode = (page: RawPage, quality = 90) => format.encode(page, { quality }, call);
const decode = (bytes: Uint8Array) => format.decode!(bytes, call);

void t.test('the published suite', t =>
  formatContract(t, {
    make: async () => ({ format: jpegFormat(), readBack: jpegFile }),
    features: { lossy: true, decodes: true, readsBack: true, bilevelDepth: 8, magic: 'JPEG' },
  }),
);

void t.test('encode: pixels that sharp reads, close to those of the page', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (const [width, height, padding] of [
      [61, 47, 0],
      [61, 47, 5],
      [7, 40, 1],
    ] as const) {
      const { data, info } = await sharp(await encode(testPage({ width, height, pixels, padding }), 100))
        .raw()
        .toBuffer({ resolveWithObject: true });
      let worst = 0;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const value = testPixel(pixels, x, y);
          const wanted = pixels === 'bw1' ? [value[0] ? 0 : 255] : value;
          for (let i = 0; i < info.channels; i++) {
            worst = Math.max(worst, Math.abs(data[(y * width + x) * info.channels + i]! - (wanted[i] ?? wanted[0]!)));
          }
        }
      }
      t.ok(worst <= 6, `${pixels} ${width} x ${height}, padding ${padding}: differs by up to ${worst}`);
    }
  }
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
  t.strictSame([...(await sharp(toBilevelTiff(page)).toColourspace('b-w').raw().toBuffer())], wanted, 'as a TIFF');
  const tall: RawPage = { ...page, height: 16, data: new Uint8Array(32).fill(0xff, 0, 16) };
  const seen = await decode(await encode(tall, 100));
  t.strictSame([seen.pixels, seen.data[0], seen.data.at(-1)], ['gray8', 0, 255], 'as a JPEG');
});

void t.test('encode: one channel for grey, three for colour; JFIF, no EXIF', async t => {
  t.equal(jpegFile(await encode(testPage({ pixels: 'gray8' }))).channels, 1);
  t.equal(jpegFile(await encode(testPage({ pixels: 'bw1' }))).channels, 1);
  const colour = jpegFile(await encode(testPage()));
  t.equal(colour.channels, 3);
  t.notOk(colour.markers.includes(0xe1));
});

void t.test('encode: colour at full resolution from quality 90 on', async t => {
  t.strictSame(jpegFile(await encode(testPage(), 90)).sampling, ['11', '11', '11']);
  t.strictSame(jpegFile(await encode(testPage(), 89)).sampling, ['22', '11', '11']);
});

void t.test('encode: quality 1 to 100, each honoured', async t => {
  const page = testPage({ width: 300, height: 300 });
  const sizes: number[] = [];
  for (const quality of [1, 10, 50, 89, 95, 100]) sizes.push((await encode(page, quality)).length);
  t.strictSame(
    sizes,
    sizes.toSorted((a, b) => a - b),
    `sizes ${sizes.join(', ')}`,
  );
  t.ok(sizes[1]! * 2 < sizes[4]!, 'quality 10 is less than half of quality 95');
});

void t.test('resolution: exact', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (let dpi = 75; dpi <= 1200; dpi += 25) {
      const seen = jpegFile(await encode(testPage({ width: 3, height: 3, pixels, dpi }))).dpi;
      if (seen !== dpi) t.fail(`${pixels} at ${dpi} dpi says ${seen}`);
    }
  }
  t.equal((await sharp(await encode(testPage({ dpi: 240 }))).metadata()).density, 240, 'sharp reads it too');
});

void t.test('encode: a page too large for a JPEG, RangeError', async t => {
  await t.rejects(
    encode(testPage({ width: 65_501, height: 1, pixels: 'gray8' })),
    /65500 pixels a side; the page has 65501 x 1/,
  );
  t.equal(jpegFile(await encode(testPage({ width: 65_500, height: 1, pixels: 'gray8' }))).width, 65_500);
});

void t.test('plugin: contributes the format', async t => {
  const { formats } = await plugin.setup({ options: {}, log: nullLog, dataDir: '/' });
  t.strictSame(
    formats?.map(({ name, mimeType }) => [name, mimeType]),
    [['Jpeg', 'image/jpeg']],
  );
});

void t.test('decode: JPEGs as devices write them', async t => {
  const colour = sharp(testPage().data, { raw: { width: 64, height: 48, channels: 3 } });
  t.equal((await decode(await colour.clone().jpeg({ progressive: true }).toBuffer())).pixels, 'rgb24');
  const inks = await decode(await colour.clone().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer());
  t.strictSame([inks.pixels, inks.stride, inks.data.length], ['rgb24', 64 * 3, 64 * 3 * 48], 'CMYK becomes colour');
  const odd = Buffer.concat([await encode(testPage()), Buffer.from('trailing bytes')]);
  t.equal((await decode(odd)).width, 64, 'bytes behind the end do no harm');
});

void t.test('decode: not a JPEG, or too many pixels, rejected', async t => {
  await t.rejects(decode(Buffer.from('not an image')), Error);
  await t.rejects(
    decode(
      await sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    ),
    /not a JPEG but png/,
  );
  const huge = Buffer.from(await encode(testPage({ width: 8, height: 8 })));
  const frame = huge.indexOf(Buffer.from('ffc0', 'hex'));
  huge.writeUInt16BE(60_000, frame + 5);
  huge.writeUInt16BE(60_000, frame + 7);
  await t.rejects(decode(huge), /pixel limit/);
});
