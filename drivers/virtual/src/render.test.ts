/** Pixels: what comes out of a scan is what lay in the tray. */
import sharp from 'sharp';
import t from 'tap';
import { layOut } from './layout.js';
import { render, type RenderOptions } from './render.js';
import { pattern, pixel, plain } from './rig.test.kit.js';
import { MAX_PIXELS, readImage } from './sheetImage.js';

const colour: RenderOptions = { colorMode: 'Color', turned: false, backing: 'white', dropout: 'none' };
/** A6 at 75 dpi. */
const page = { width: 310, height: 437 };
const order = { resolution: 75, pageSize: 'A6' } as const;
const white = [255, 255, 255];

async function scan(bytes: Uint8Array | undefined, options: Partial<RenderOptions> = {}, at: object = {}) {
  const image = bytes && (await readImage(bytes));
  const layout = layOut(image ?? { ...page, density: 75 }, { ...order, ...at }, 'feeder');
  return {
    kind: 'raw',
    sheet: 1,
    side: 'front',
    dpi: 75,
    ...(await render(image, layout, { ...colour, ...options })),
  } as const;
}

t.test('readImage: empty, unknown and unsupported files, InvalidImage', async t => {
  const reasons: [Uint8Array, RegExp][] = [
    [Buffer.alloc(0), /empty/],
    [Buffer.from('Dear Sir'), /PNG, JPEG/],
    [Buffer.from('BM'.padEnd(100, '\0')), /PNG, JPEG/],
    [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /SVG.*PNG, JPEG, TIFF, WebP and GIF/,
    ],
  ];
  for (const [bytes, reason] of reasons) await t.rejects(readImage(bytes), { name: 'InvalidImage', message: reason });
});

t.test('readImage: decompression bomb, rejected by its header', async t => {
  const side = Math.ceil(Math.sqrt(MAX_PIXELS)) + 1;
  const bomb = Buffer.from(await plain(1, 1, '#fff'));
  bomb.writeUInt32BE(side, 16);
  bomb.writeUInt32BE(side, 20);
  bomb.writeUInt32BE(crc(bomb.subarray(12, 29)), 29);
  await t.rejects(readImage(bomb), { name: 'InvalidImage', message: /megapixels/ });
});

t.test('render: truncated file, InvalidImage', async t => {
  const { png } = await pattern(page.width, page.height, 75);
  await t.rejects(scan(png.subarray(0, png.length / 2)), { name: 'InvalidImage', message: /truncated/ });
});

t.test('render: a file of the page size, pixel for pixel', async t => {
  const { png, pixels } = await pattern(page.width, page.height, 75);
  const same = await scan(png);
  t.match(same, { pixels: 'rgb24', ...page, stride: page.width * 3 });
  t.ok(pixels.equals(same.data), 'with its density');
  const { png: bare } = await pattern(page.width, page.height);
  t.ok(pixels.equals((await scan(bare)).data), 'without a density');
});

t.test('render: a grey file, the same values', async t => {
  const pixels = Buffer.from(Array.from({ length: page.width * page.height }, (_, i) => (i * 3) & 0xff));
  const png = await sharp(pixels, { raw: { ...page, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
  const grey = await scan(png, { colorMode: 'Grayscale' });
  t.match(grey, { pixels: 'gray8', stride: page.width });
  t.ok(pixels.equals(grey.data));
  const inColour = await scan(png);
  t.same(pixel(inColour, 7, 3), Array(3).fill(pixel(grey, 7, 3)[0]), 'and as three channels in colour');
});

t.test('render: 1-bit page, 1 is black, most significant bit first', async t => {
  const pixels = Buffer.from(
    Array.from({ length: page.width * page.height }, (_, i) => (i % page.width < 3 ? 0 : 255)),
  );
  const bw = await scan(
    await sharp(pixels, { raw: { ...page, channels: 1 } })
      .png()
      .toBuffer(),
    { colorMode: 'BlackAndWhite' },
  );
  t.match(bw, { pixels: 'bw1', ...page, stride: 39 });
  t.equal(bw.data.length, 39 * page.height);
  t.same([...bw.data.subarray(39, 41)], [0b1110_0000, 0]);
});

t.test('render: 1-bit page, the threshold is 128', async t => {
  for (const [grey, bit] of [
    [127, 1],
    [128, 0],
  ] as const) {
    const bw = await scan(await plain(page.width, page.height, { r: grey, g: grey, b: grey }), {
      colorMode: 'BlackAndWhite',
    });
    t.same(pixel(bw, 100, 100), [bit], `grey ${grey}`);
  }
});

t.test('render: smaller sheet, the backing around it', async t => {
  const card = await plain(100, 60, '#c02020', 75);
  for (const [backing, value] of [
    ['white', 255],
    ['black', 0],
  ] as const) {
    const scanned = await scan(card, { backing });
    t.same(pixel(scanned, 104, 30), Array(3).fill(value), `${backing} on the left`);
    t.same(pixel(scanned, 105, 0), [192, 32, 32], 'the sheet begins');
    t.same(pixel(scanned, 204, 59), [192, 32, 32], 'the sheet ends');
    t.same(pixel(scanned, 205, 59), Array(3).fill(value));
    t.same(pixel(scanned, 150, 60), Array(3).fill(value));
  }
});

t.test('render: larger sheet, cut at the page', async t => {
  const { png, pixels } = await pattern(400, 100, 75);
  const scanned = await scan(png);
  t.equal(scanned.data.length, page.width * 3 * page.height, 'cut on the sides and extended below');
  t.same(pixel(scanned, 0, 0), [...pixels.subarray(45 * 3, 46 * 3)], 'half of what is too wide is cut on the left');
  t.same(pixel(scanned, 0, 100), white);
});

t.test('render: the physical size holds for any density', async t => {
  const scanned = await scan(await plain(400, 240, '#c02020', 300), { backing: 'black' });
  t.same(
    [pixel(scanned, 104, 30), pixel(scanned, 150, 30), pixel(scanned, 150, 61)],
    [
      [0, 0, 0],
      [192, 32, 32],
      [0, 0, 0],
    ],
  );
});

t.test('render: Exif orientation applied, transparency white', async t => {
  const half = await sharp({
    create: { width: page.height, height: page.width / 2, channels: 3, background: '#c02020' },
  })
    .extend({ bottom: page.width / 2, background: '#2020c0' })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upright = await scan(half);
  t.ok(pixel(upright, 300, 10)[0]! > 150 && pixel(upright, 10, 10)[2]! > 150, 'turned clockwise');
  const clear = await sharp({ create: { ...page, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();
  t.same(pixel(await scan(clear, { backing: 'black' }), 5, 5), white);
});

t.test('render: 16 bits per channel become 8', async t => {
  const deep = await sharp({ create: { ...page, channels: 3, background: '#804020' } })
    .toColourspace('rgb16')
    .png()
    .toBuffer();
  t.equal((await sharp(deep).metadata()).depth, 'ushort');
  t.same(pixel(await scan(deep), 9, 9), [128, 64, 32]);
});

t.test('render: JPEG without density fills the page, one with 72 dpi has that size', async t => {
  const image = sharp({ create: { width: 155, height: 218, channels: 3, background: '#c02020' } });
  t.equal((await readImage(await image.clone().jpeg().toBuffer())).density, undefined);
  t.equal((await readImage(await image.clone().withDensity(72).jpeg().toBuffer())).density, 72);
});

t.test('render: turned, the file rotated by 180°', async t => {
  const { png, pixels } = await pattern(page.width, page.height, 75);
  const turned = await scan(png, { turned: true });
  t.same(pixel(turned, page.width - 1, page.height - 1), [...pixels.subarray(0, 3)]);
});

t.test('render: area, pixel for pixel; beside the sheet is the backing', async t => {
  const { png, pixels } = await pattern(page.width, page.height, 75);
  const dots = (count: number) => (count / 75) * 25.4;
  const part = await scan(png, {}, { area: { x: dots(20), y: dots(30), width: dots(40), height: dots(50) } });
  t.same([part.width, part.height], [40, 50]);
  t.same(pixel(part, 3, 4), [...pixels.subarray((34 * page.width + 23) * 3).subarray(0, 3)]);
  const beside = await scan(
    png,
    { backing: 'black' },
    { area: { x: dots(page.width + 10), y: 0, width: dots(20), height: dots(20) } },
  );
  t.same([beside.width, beside.height, ...pixel(beside, 5, 5)], [20, 20, 0, 0, 0]);
});

t.test('render: dropout, ink of that colour is white in Grayscale and BlackAndWhite', async t => {
  const ink = await plain(page.width, page.height, '#d02020', 75);
  t.same(pixel(await scan(ink, { colorMode: 'Grayscale', dropout: 'red' }), 9, 9), [0xd0]);
  t.same(pixel(await scan(ink, { colorMode: 'Grayscale', dropout: 'green' }), 9, 9), [0x20]);
  t.same(pixel(await scan(ink, { colorMode: 'BlackAndWhite', dropout: 'red' }), 9, 9), [0]);
  t.same(pixel(await scan(ink, { colorMode: 'BlackAndWhite', dropout: 'none' }), 9, 9), [1]);
  t.same(pixel(await scan(ink, { colorMode: 'Color', dropout: 'red' }), 9, 9), [0xd0, 0x20, 0x20]);
  const grey = await sharp(ink).greyscale().toColourspace('b-w').png().toBuffer();
  t.equal((await scan(grey, { colorMode: 'Grayscale', dropout: 'blue' })).width, page.width);
});

t.test("render: blank side, white and of the sheet's size", async t => {
  const blank = await scan(undefined, { backing: 'black' });
  t.ok(blank.data.every(value => value === 255));
  t.equal(blank.data.length, page.width * page.height * 3);
});

t.test('readImage: every supported format', async t => {
  const image = sharp({ create: { ...page, channels: 3, background: '#c02020' } });
  for (const format of ['png', 'jpeg', 'tiff', 'webp', 'gif'] as const) {
    const [red, green] = pixel(await scan(await image.clone().toFormat(format).toBuffer()), 50, 50);
    t.ok(red! > 180 && green! < 50, format);
  }
});

function crc(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
