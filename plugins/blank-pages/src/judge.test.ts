/** Every kind of page by its name, in every kind of pixels, and pages of odd sizes. */
import type { Pixels, RawPage } from '@platen/core/plugin';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import t from 'tap';
import { judged, measured } from './measure.test.kit.js';
import { ruled } from './testing/artefacts.js';
import { dice } from './testing/drawing.js';
import { blankKinds, contentKinds, pageSet } from './testing/pageSet.js';
import { scanned } from './testing/pages.js';

/** One small page of each kind: judgePages.long.test.ts has more of them, and the benchmark measures the set whole. */
const seeds: ReadonlySet<number> = new Set([
  1042, 1134, 1037, 1024, 1011, 1117, 1020, 11_132, 11_037, 11_074, 11_003, 11_172, 11_101, 11_174, 11_163, 11_008,
  11_033, 11_082, 11_059,
]);
const pages = pageSet('tuned').filter(({ seed }) => seeds.has(seed));

for (const isBlank of [true, false]) {
  for (const kind of Object.keys(isBlank ? blankKinds : contentKinds)) {
    t.test(`${kind}: ${isBlank ? 'blank' : 'not blank'}`, async t => {
      const own = pages.filter(page => page.kind === kind);
      t.equal(own.length, 1);
      for await (const { page, found } of measured(own)) {
        t.equal(found.isBlank, isBlank, `seed ${page.seed}: ${found.why}`);
        t.equal(found.ink > 0, !found.isBlank);
        t.not(found.why, '');
      }
    });
  }
}

t.test('a pale watermark across ruled paper: not blank', async t => {
  const drawn = pageSet('third').filter(({ seed }) => seed === 910_011);
  t.equal(drawn.length, 1);
  for await (const { page, found } of measured(drawn)) t.notOk(found.isBlank, `seed ${page.seed}: ${found.why}`);
});

t.test('ruled paper a little askew: blank, with all of its rules', async t => {
  for (const skew of [-0.4]) {
    const page = await scanned({
      seed: 3,
      wide: 210,
      high: 297,
      dpi: 150,
      pixels: 'gray8',
      paper: [248, 248, 246],
      front: ruled(dice(12), 210, 297),
      grain: 1,
      skew,
    });
    t.match(await judged(page), { isBlank: true, ink: 0 }, `${skew}°`);
  }
});

const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

function plain(width: number, height: number, pixels: Pixels, value: number, dpi = 300): RawPage {
  const stride = pixels === 'bw1' ? Math.ceil(width / 8) : width * (pixels === 'rgb24' ? 3 : 1);
  const data = new Uint8Array(stride * height).fill(value);
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi, pixels, stride, data };
}

t.test('sizes: one pixel, narrow, flat and tiny pages at 1 to 1200 dpi, blank', async t => {
  for (const pixels of everyPixels) {
    for (const [width, height] of [
      [1, 1],
      [1, 900],
      [900, 1],
      [13, 7],
      [61, 47],
    ] as const) {
      for (const dpi of [1, 300, 1200]) {
        for (const value of [0, 255]) {
          const found = await judged(plain(width, height, pixels, value, dpi));
          t.match(found, { isBlank: true, ink: 0 }, `${pixels} ${width} x ${height} at ${dpi} dpi, ${value}`);
        }
      }
    }
  }
});

t.test('the bits after the last pixel of a 1-bit row: not looked at', async t => {
  const page = plain(801, 1200, 'bw1', 0, 100);
  for (let y = 0; y < page.height; y++) page.data[(y + 1) * page.stride - 1] = 0x7f;
  t.match(await judged(page), { isBlank: true });
});

t.test('pages of our samples and test sheets: not blank, in every kind of pixels', async t => {
  const files = [
    ...['letter.png', 'invoice.png', 'labels.png', 'photo.jpg'].map(name => `drivers/virtual/samples/${name}`),
    ...['note.png', 'report.png'].map(name => `plugins/ocr/samples/${name}`),
  ].map(name => fileURLToPath(new URL(`../../../${name}`, import.meta.url)));
  for (const file of files) {
    t.ok(existsSync(file), file);
    const drawn = sharp(file).flatten({ background: '#fff' });
    const { width = 0 } = await drawn.metadata();
    const { data, info } = await drawn
      .resize(Math.round(width / 2))
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const page = { ...plain(1, 1, 'rgb24', 0, 100), width: info.width, height: info.height, stride: info.width * 3 };
    t.notOk((await judged({ ...page, data: new Uint8Array(data) })).isBlank, file);
  }
  for (const [ink, light] of [
    [[10, 10, 40], 30],
    [[230, 150, 30], 150],
    [[120, 220, 230], 190],
    [[240, 240, 120], 226],
  ] as const) {
    for (const pixels of ['rgb24', 'gray8'] as const) {
      const page = plain(638, 825, pixels, 255, 75);
      const data = page.data;
      for (let y = 0; y < 825; y++) {
        for (let x = 0; x < 638; x++) {
          if (x < 128 && y < 165) continue;
          if (pixels === 'rgb24') data.set(ink, y * page.stride + x * 3);
          else data[y * page.stride + x] = light;
        }
      }
      t.notOk((await judged(page)).isBlank, `a test sheet, ${pixels} ${ink.join()}`);
    }
  }
});

t.test('a page number on a small sheet and on a large one: not blank', async t => {
  const front = (x: number, y: number): string =>
    `<path d="M${x} ${y}h1.6v2.4h-1.6z" fill="none" stroke="#000" stroke-width=".3"/>`;
  for (const [wide, high, dpi, every] of [
    [105, 148, 200, ['gray8']],
    [297, 420, 75, everyPixels],
  ] as const) {
    for (const pixels of every) {
      const page = await scanned({
        seed: 9,
        wide,
        high,
        dpi,
        pixels,
        paper: [245, 245, 245],
        front: front(wide / 2, high - 14),
        grain: 1,
      });
      t.notOk((await judged(page)).isBlank, `${wide} x ${high} mm at ${dpi} dpi, ${pixels}`);
    }
  }
});
