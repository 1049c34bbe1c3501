/** Cropping sheets with known edges on dark and light backgrounds. */
import type { RawPage } from '@platen/core/plugin';
import t from 'tap';
import { around, cropsTo, nothing, papers, places, printed } from './crop.test.kit.js';
import { packed } from './raster/raster.js';
import { blankSheet, drawn, onBackground, outcome, pageOf, sample, sampleImage } from './samples.test.kit.js';
import { rotateBilinear } from './raster/rotateBilinear.js';

void t.test('crop: sheets on dark and light backgrounds, at most 4 pixels larger than the sheet', async t => {
  for (const [i, levels] of papers.entries())
    cropsTo(t, await printed(levels[0], i % 3 === 2 ? 'rgb24' : 'gray8'), places[i % 3]!, levels);
});

void t.test('crop: 1-bit, the sheet bit for bit', async t => {
  const sheet = await sample('letter', { dpi: 100, pixels: 'gray8' });
  for (const left of [64, 61, 3]) {
    const grey = onBackground(
      { ...sheet, data: sheet.data.map(value => (value < 128 ? 0 : 255)) },
      { ...around, left, colour: 0 },
    );
    const result = outcome('crop', pageOf(packed(grey), 100));
    const wanted = packed({ ...sheet, data: sheet.data.map(value => (value < 128 ? 0 : 255)) });
    t.ok(
      'page' in result && result.page.width === wanted.width && Buffer.from(wanted.data).equals(result.page.data),
      `${left} pixels at the left`,
    );
  }
});

void t.test('crop: a skewed sheet, its bounding box', async t => {
  const sheet = await printed(240);
  const page = pageOf(
    rotateBilinear(
      onBackground(sheet, { left: 300, top: 300, right: 300, bottom: 300, colour: 20 }),
      -7,
      [20],
      nothing,
    ),
    100,
  );
  const result = outcome('crop', page);
  if ('why' in result) return t.fail(result.why);
  const light = (data: Uint8Array): number => data.reduce((sum, value) => sum + (value > 100 ? 1 : 0), 0);
  t.equal(light(result.page.data), light(page.data), 'every light pixel is still there');
  t.ok(
    result.page.width < page.width - 250 && result.page.height < page.height - 250,
    `${result.page.width} x ${result.page.height} of ${page.width} x ${page.height}`,
  );
});

void t.test('crop: print at the edge of the sheet, never cropped', async t => {
  for (const colour of [0, 60, 255]) {
    const paper = colour === 255 ? 225 : 250;
    const sheet = await printed(paper, 'gray8', 0);
    // A letter of print in each corner and at each side, its last pixel on the sheet's own.
    const marks = [
      [0, 0],
      [sheet.width - 9, 0],
      [0, sheet.height - 9],
      [sheet.width - 9, sheet.height - 9],
      [400, 0],
      [400, sheet.height - 9],
      [0, 700],
      [sheet.width - 9, 700],
    ];
    for (const [left = 0, top = 0] of marks)
      for (let y = 0; y < 9; y++)
        sheet.data.fill(colour, (top + y) * sheet.stride + left, (top + y) * sheet.stride + left + 9);
    const result = outcome('crop', onBackground(sheet, { ...around, colour }));
    if ('why' in result) t.fail(`on ${colour}: ${result.why}`);
    else
      t.ok(
        result.page.width >= sheet.width && result.page.height >= sheet.height,
        `on ${colour}: ${result.page.width} x ${result.page.height} of ${sheet.width} x ${sheet.height}`,
      );
  }
});

void t.test('crop: a label beside the sheet, kept', async t => {
  const sheet = onBackground(await printed(250), { ...around, bottom: 800, right: 500, colour: 10 });
  const [x, y] = [sheet.width - 300, sheet.height - 200];
  for (let row = 0; row < 30; row++)
    sheet.data.fill(200, (y + row) * sheet.stride + x, (y + row) * sheet.stride + x + 60);
  const result = outcome('crop', sheet);
  if ('why' in result) t.match(result.why, /cannot be told/);
  else
    t.ok(
      result.page.data.filter(value => value === 200).length >= 30 * 60,
      'the label beside the sheet is on the page',
    );
});

void t.test('crop: uncertain edges, not applied, with a reason', async t => {
  const frame = blankSheet().composite([
    { input: { create: { width: 1200, height: 1600, channels: 3, background: '#000' } }, left: 250, top: 300 },
    { input: { create: { width: 1190, height: 1590, channels: 3, background: '#fff' } }, left: 255, top: 305 },
  ]);
  const logo = blankSheet().composite([
    { input: { create: { width: 400, height: 300, channels: 3, background: '#024' } }, left: 150, top: 150 },
  ]);
  const pages: readonly (readonly [string, RawPage, RegExp])[] = [
    ['a letter', await sample('letter', { dpi: 100 }), /cannot be told/],
    ['an invoice in colour', await sample('invoice', { dpi: 100, pixels: 'rgb24' }), /cannot be told/],
    ['barcodes in a frame', await sample('labels', { dpi: 100, pixels: 'bw1' }), /cannot be told/],
    ['a page with a picture', await sample('photo', { dpi: 100 }), /cannot be told/],
    ['a frame', await drawn(frame, { dpi: 100 }), /cannot be told/],
    ['a logo', await drawn(logo, { dpi: 100 }), /too small/],
    [
      'white on white',
      onBackground(await sample('letter', { dpi: 100 }), { ...around, colour: 255 }),
      /cannot be told/,
    ],
    ['blank', await drawn(blankSheet(), { dpi: 100 }), /nothing but background/],
    [
      'black',
      pageOf({ pixels: 'bw1', width: 800, height: 1000, data: new Uint8Array(100_000).fill(255) }, 100),
      /nothing but background/,
    ],
    ['grain', await drawn(blankSheet(1700, 2200, '#888'), { dpi: 100, grain: 40 }), /background/],
    [
      'a picture to its edges',
      await drawn(sampleImage('photo').extract({ left: 170, top: 410, width: 1360, height: 900 }), { dpi: 100 }),
      /./,
    ],
    [
      'the whole page',
      onBackground(await printed(250), { left: 1, top: 1, right: 1, bottom: 1, colour: 0 }),
      /fills the page|background/,
    ],
    ['one pixel', pageOf({ pixels: 'gray8', width: 1, height: 1, data: new Uint8Array(1) }, 300), /background/],
  ];
  for (const [name, page, why] of pages) t.match(outcome('crop', page), { why }, name);
});
