/** Preprocessing: the page's own pixels at 300 to 400 dpi, resampled otherwise. */
import { testPage, testPixel } from '@platen/conformance';
import type { RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { pageImage } from './pageImage.js';
import { readTiff, whitePage } from './tiff.test.kit.js';

const image = async (page: RawPage) => {
  const made = await pageImage(page);
  if (!made) throw new Error('there is no image');
  const file = readTiff(made.file);
  t.match(file, { width: made.width, height: made.height }, 'the sides of the file');
  return { ...file, dpi: made.dpi };
};

t.test('pageImage: grey and 1-bit at 300 dpi, the same pixels without padding', async t => {
  for (const padding of [0, 5]) {
    const grey = await image(testPage({ pixels: 'gray8', width: 61, height: 47, padding }));
    t.match(grey, { bits: 8, photometric: 1, width: 61, height: 47, dpi: 300 });
    t.same(
      [...grey.rows],
      Array.from({ length: 61 * 47 }, (_, at) => testPixel('gray8', at % 61, Math.floor(at / 61))[0]),
    );
    const bits = await image(testPage({ pixels: 'bw1', width: 61, height: 47, padding }));
    t.match(bits, { bits: 1, photometric: 0, width: 61, height: 47, dpi: 300 });
    t.same([...bits.rows], [...testPage({ pixels: 'bw1', width: 61, height: 47 }).data], '1 is black in both');
  }
});

t.test('pageImage: a separate buffer, transferable', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (const size of [
      { width: 8, height: 8 },
      { width: 640, height: 480 },
    ]) {
      const page = testPage({ pixels, ...size });
      const made = await pageImage(page);
      t.not(made?.file.buffer, page.data.buffer);
      t.same(
        [made?.file.byteOffset, made?.file.buffer.byteLength],
        [0, made?.file.byteLength],
        `${pixels} ${size.width}`,
      );
    }
  }
});

t.test('pageImage: the TIFF file, read by sharp', async t => {
  const page = testPage({ pixels: 'gray8', width: 61, height: 47 });
  const { data, info } = await sharp((await pageImage(page))!.file)
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.match(info, { width: 61, height: 47 });
  t.same([...data.filter((_, at) => at % info.channels === 0)], [...page.data]);
});

t.test('pageImage: colour, grey in the order of its lightness', async t => {
  const page: RawPage = { ...testPage(), width: 8, height: 8, stride: 26, data: new Uint8Array(8 * 26) };
  const colours = [
    [0, 0, 0],
    [90, 0, 0],
    [0, 0, 255],
    [255, 0, 0],
    [0, 200, 0],
    [200, 200, 200],
    [255, 255, 0],
    [255, 255, 255],
  ];
  for (let y = 0; y < 8; y++) colours.forEach((colour, x) => page.data.set(colour, y * 26 + x * 3));
  const { bits, rows } = await image(page);
  t.equal(bits, 8);
  const row = [...rows.subarray(0, 8)];
  t.same([row[0], row[7]], [0, 255]);
  t.same(
    [...row].sort((a, b) => a - b),
    row,
  );
});

t.test('pageImage: 75 to 1200 dpi, resampled to 300 outside of 300 to 400', async t => {
  for (const [dpi, width, wanted, result] of [
    [75, 20, 80, 300],
    [200, 100, 150, 300],
    [240, 100, 125, 300],
    [300, 100, 100, 300],
    [400, 100, 100, 400],
    [600, 100, 50, 300],
    [1200, 100, 25, 300],
  ] as const) {
    for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
      const made = await image(testPage({ width, height: width * 2, dpi, pixels, padding: 2 }));
      t.match(made, { width: wanted, height: wanted * 2, dpi: result }, `${pixels} at ${dpi}`);
      t.equal(made.rows.length, made.bits === 1 ? Math.ceil(wanted / 8) * wanted * 2 : wanted * wanted * 2);
    }
  }
});

t.test('pageImage: an enlarged 1-bit page, black and white unchanged', async t => {
  const page: RawPage = {
    ...testPage({ pixels: 'bw1', dpi: 150 }),
    width: 16,
    height: 16,
    stride: 2,
    data: new Uint8Array(32).fill(0xff, 0, 16),
  };
  const { rows } = await image(page);
  t.same([rows[0], rows[32 * 10], rows[32 * 24], rows.at(-1)], [0, 0, 255, 255]);
});

t.test('pageImage: 1 and 100000 dpi, a bounded size and a resolution that Tesseract takes', async t => {
  t.match(await image(testPage({ pixels: 'gray8', dpi: 1, width: 100, height: 100 })), { width: 400, dpi: 70 });
  t.match(await image(testPage({ pixels: 'gray8', dpi: 100_000, width: 600, height: 600 })), { width: 2, dpi: 300 });
});

t.test('pageImage: a page longer than Tesseract takes, reduced', async t => {
  t.match(await image(whitePage(40, 40_000)), { width: 32, height: 32_000, dpi: 240 });
});

t.test('pageImage: a page below 8 pixels, undefined', async t => {
  t.equal(await pageImage(testPage({ width: 7, height: 300 })), undefined);
  t.equal(await pageImage(testPage({ width: 300, height: 1, pixels: 'bw1' })), undefined);
  t.ok(await pageImage(testPage({ width: 8, height: 8 })));
});
