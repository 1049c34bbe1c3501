/** Deskewing pages with known angles. */
import type { RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { extract } from './raster/extract.js';
import { angleOf, measuresAngles, pageIn, straightens, WANTED } from './deskew.test.kit.js';
import {
  blankSheet,
  drawn,
  onBackground,
  outcome,
  pageOf,
  sample,
  sampleImage,
  rotatedBy,
  type SampleName,
} from './samples.test.kit.js';
import { rotateBilinear } from './raster/rotateBilinear.js';

// Every sample at every angle: deskew.long.test.ts.
for (const [name, angles] of [
  ['letter', [-10, -0.3, 5.8]],
  ['invoice', [10]],
  ['labels', [-7.3]],
  ['photo', [0.5]],
] as const) {
  void t.test(`skewOf: ${name}, within ${WANTED}°`, t => measuresAngles(t, name, angles));
}

void t.test('deskew: every kind of pixels, 75 to 600 dpi, sideways too, straight within 0.2°', async t => {
  const pages: readonly (readonly [SampleName, Parameters<typeof sample>[1], 0 | 1 | 2 | 3])[] = [
    ['letter', { skew: -6.2, pixels: 'bw1', dpi: 150 }, 0],
    ['letter', { skew: -0.6, pixels: 'gray8', dpi: 75 }, 2],
    ['photo', { skew: 4.5, pixels: 'rgb24', dpi: 100 }, 1],
    ['invoice', { skew: -8, pixels: 'gray8', dpi: 120 }, 3],
  ];
  for (const [name, drawing, quarters] of pages)
    straightens(t, rotatedBy(await sample(name, drawing), quarters), `${name} ${JSON.stringify(drawing)}`);
  const window = sampleImage('letter').extract({ left: 220, top: 620, width: 600, height: 600 });
  straightens(t, await drawn(window, { skew: 2.2, pixels: 'bw1', dpi: 600 }), 'a part of the letter at 600 dpi');
});

void t.test('deskew: straight, blank, pictures and more than 10°, not applied, with a reason', async t => {
  const picture = sampleImage('photo').extract({ left: 170, top: 410, width: 1360, height: 900 });
  const pages: readonly (readonly [RawPage, RegExp])[] = [
    [await sample('letter', { dpi: 100 }), /straight already/],
    [await drawn(blankSheet(), { dpi: 100 }), /no lines/],
    [await drawn(blankSheet(1700, 2200, '#ccc'), { dpi: 100, grain: 30 }), /no lines/],
    [await drawn(picture.resize(1700, 2200, { fit: 'cover' }), { dpi: 100 }), /no lines/],
    [
      await drawn(
        sharp(await picture.rotate(20).png().toBuffer())
          .extract({ left: 493, top: 355, width: 600, height: 600 })
          .resize(1700, 2200, { fit: 'cover' }),
        { dpi: 100 },
      ),
      /no lines/,
    ],
    [await sample('letter', { dpi: 100, skew: 11 }), /more than 10°/],
    [pageOf({ pixels: 'gray8', width: 1, height: 1, data: new Uint8Array(1) }, 300), /no lines/],
    [pageOf({ pixels: 'bw1', width: 70_000, height: 1, data: new Uint8Array(8750) }, 300), /longer side/],
  ];
  for (const [page, why] of pages) t.match(outcome('deskew', page), { why });
});

void t.test('deskew: tinted paper, corners of its colour', async t => {
  const tinted = sampleImage('letter').composite([
    { input: { create: { width: 1700, height: 2200, channels: 3, background: '#f0e0a0' } }, blend: 'multiply' },
  ]);
  const page = await drawn(tinted, { pixels: 'rgb24', dpi: 100 });
  const askew = pageOf({ ...page, data: page.data }, 100);
  const corners = (result: RawPage | undefined): number[][] => {
    if (!result) return [];
    const [right, bottom] = [result.width - 1, result.height - 1];
    return [
      [0, 0],
      [right, 0],
      [0, bottom],
      [right, bottom],
    ].map(([x = 0, y = 0]) => [...result.data.subarray(y * result.stride + x * 3, y * result.stride + x * 3 + 3)]);
  };
  // Skewed by the code under test itself, as the sample is straight.
  const skewed = pageOf(rotateBilinear(askew, -3, [0xf0, 0xe0, 0xa0], { left: 0, right: 0, top: 0, bottom: 0 }), 100);
  const back = pageIn(outcome('deskew', skewed), 100);
  t.strictSame(
    corners(back),
    [0, 1, 2, 3].map(() => [0xf0, 0xe0, 0xa0]),
  );
});

void t.test('deskew: the same size, larger where print would be lost', async t => {
  const inside = await sample('letter', { skew: 4 });
  const kept = pageIn(outcome('deskew', inside));
  t.strictSame([kept?.width, kept?.height], [inside.width, inside.height], 'only paper was in the corners');

  // A window in the text: its corners are full of print.
  const window = { left: 240, top: 640, right: 1460, bottom: 1760 };
  const full = pageOf(extract(await sample('letter', { skew: -6 }), window), 200);
  const grown = pageIn(outcome('deskew', full));
  if (!grown) return t.fail('it was not deskewed');
  t.ok(grown.width > full.width, `${grown.width} x ${grown.height}: more than ${full.width} x ${full.height}`);
  const ink = (page: RawPage): number => page.data.reduce((sum, value) => sum + 255 - value, 0);
  t.ok(ink(grown) / ink(full) > 0.995, `${((100 * ink(grown)) / ink(full)).toFixed(2)}% of the ink is there`);
});

void t.test('deskew: a blank sheet on a dark background, straight by its edges, dark corners', async t => {
  const sheet = onBackground(await drawn(blankSheet(1100, 1500)), {
    left: 200,
    top: 250,
    right: 220,
    bottom: 200,
    colour: 25,
  });
  const askew = pageOf(rotateBilinear(sheet, -5, [25], { left: 0, right: 0, top: 0, bottom: 0 }), 200);
  const back = pageIn(outcome('deskew', askew));
  if (!back) return t.fail('it was not deskewed');
  t.ok(Math.abs(angleOf(askew) - 5) <= WANTED, `measured ${angleOf(askew)}°`);
  t.equal(back.data[0], 25);
  const row = (y: number): number =>
    back.data.subarray(y * back.stride, (y + 1) * back.stride).reduce((sum, value) => sum + (value > 128 ? 1 : 0), 0);
  t.ok(row(240) === 0 && row(262) >= 1095, `light pixels above the edge ${row(240)}, below it ${row(262)}`);
});
