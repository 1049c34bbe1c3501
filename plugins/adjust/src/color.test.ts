/** Reduction of colours: colour to grey to 1-bit. */
import type { RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { addGrain, drawn, outcome, pageOf, sample, sampleImage } from './samples.test.kit.js';
import { unpacked } from './raster/raster.js';

/** Small print: the letter's text at two thirds of its size, about 7 points, at 300 dpi. */
async function smallPrint(): Promise<RawPage> {
  const text = await sampleImage('letter')
    .extract({ left: 220, top: 620, width: 1260, height: 700 })
    .resize(560)
    .png()
    .toBuffer();
  return drawn(sharp(text), { dpi: 300 });
}

function blacks(page: RawPage): Uint8Array {
  const result = outcome('color', page, 'BlackAndWhite');
  if ('why' in result) throw new Error(result.why);
  return unpacked(result.page).data;
}

/** The shares of the clean page's ink and of its paper (by fixed thresholds) that are black. */
function readable(clean: RawPage, worse: RawPage): { ink: number; paper: number } {
  const found = blacks(worse);
  const seen = { ink: 0, inkBlack: 0, paper: 0, paperBlack: 0 };
  clean.data.forEach((value, i) => {
    if (value < 90) {
      seen.ink++;
      if (found[i] === 0) seen.inkBlack++;
    } else if (value > 235) {
      seen.paper++;
      if (found[i] === 0) seen.paperBlack++;
    }
  });
  return { ink: seen.inkBlack / seen.ink, paper: seen.paperBlack / seen.paper };
}

void t.test('1-bit: small print on clean, noisy, pale, brown and shaded paper, ink black and paper white', async t => {
  const clean = await smallPrint();
  const changed = (change: (value: number, i: number) => number, grain = 4): RawPage => {
    const data = clean.data.map(change);
    addGrain(data, grain);
    return { ...clean, data };
  };
  const papers = {
    clean,
    grain: changed(value => value * 0.95, 10),
    'a third of the contrast': changed(value => 250 - (255 - value) * 0.35),
    'brown paper': changed(value => 25 + value * 0.45),
    'a shadow across it': changed((value, i) => value * (0.35 + (0.6 * (i % clean.width)) / clean.width)),
  };
  for (const [name, page] of Object.entries(papers)) {
    const { ink, paper } = readable(clean, page);
    t.ok(
      ink > 0.98 && paper < 0.003,
      `${name}: ${(100 * ink).toFixed(2)}% of the ink and ${(100 * paper).toFixed(2)}% of the paper are black`,
    );
  }
});

void t.test('1-bit: large dark areas, black inside with white print', async t => {
  const page = await sample('invoice', { pixels: 'rgb24' });
  const found = blacks(page);
  // The head of the table: dark blue, with white words.
  let [black, seen] = [0, 0];
  for (let y = 834; y < 890; y++) for (let x = 900; x < 1020; x++, seen++) if (found[y * page.width + x] === 0) black++;
  t.ok(black > 0.97 * seen, `${black} of ${seen} pixels without words are black`);
  let white = 0;
  for (let y = 845; y < 880; y++) for (let x = 230; x < 315; x++) if (found[y * page.width + x] !== 0) white++;
  t.ok(white > 300, `${white} white pixels in the word "Article"`);
  // Its pale rows are paper.
  let spots = 0;
  for (let y = 970; y < 1000; y++) for (let x = 950; x < 1050; x++) if (found[y * page.width + x] === 0) spots++;
  t.equal(spots, 0, 'a tinted row is white');
});

void t.test('grey: BT.601 luma within 1', async t => {
  const colours = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
    [0, 0, 0],
    [10, 20, 30],
  ];
  const page = pageOf({ pixels: 'rgb24', width: 6, height: 1, data: Uint8Array.from(colours.flat()) }, 300);
  const result = outcome('color', page, 'Grayscale');
  if ('why' in result) return t.fail(result.why);
  const wanted = colours.map(([red = 0, green = 0, blue = 0]) => 0.299 * red + 0.587 * green + 0.114 * blue);
  t.equal(result.page.pixels, 'gray8');
  for (const [i, value] of wanted.entries())
    t.ok(
      Math.abs(result.page.data[i]! - value) <= 1,
      `${colours[i]?.join()}: ${result.page.data[i]} for ${value.toFixed(1)}`,
    );
});

void t.test('1-bit: uniform pages at 75 to 1200 dpi, paper white and black black', async t => {
  for (const dpi of [75, 300, 600, 1200]) {
    for (const [value, wanted] of [
      [255, 255],
      [190, 255],
      [100, 255],
      [20, 0],
      [0, 0],
    ] as const) {
      const data = new Uint8Array(300 * 200).fill(value);
      const found = blacks(pageOf({ pixels: 'gray8', width: 300, height: 200, data }, dpi));
      t.ok(
        found.every(each => each === wanted),
        `${value} at ${dpi} dpi`,
      );
    }
  }
});
