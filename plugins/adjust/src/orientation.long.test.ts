/** Orientation of text: how many pages become upright, and that none is made worse. */
import type { RawPage } from '@platen/core/plugin';
import t from 'tap';
import { orientationOf } from './orientation.js';
import {
  addGrain,
  blankSheet,
  drawn,
  onBackground,
  outcome,
  pageOf,
  sample,
  sampleImage,
  rotatedBy,
  type Drawing,
} from './samples.test.kit.js';

/** Parts of the samples, at 200 dpi. */
const letterText = () => sampleImage('letter').extract({ left: 220, top: 620, width: 1260, height: 1160 });
const photoText = () => sampleImage('photo').extract({ left: 170, top: 1400, width: 650, height: 630 });
const picture = () => sampleImage('photo').extract({ left: 170, top: 410, width: 1360, height: 900 });
const table = () => sampleImage('invoice').extract({ left: 170, top: 830, width: 1360, height: 530 });

/** About twelve lines in two columns, in 8 points. */
async function columns(): Promise<RawPage> {
  const narrow = await letterText().resize(720).png().toBuffer();
  return drawn(
    blankSheet().composite([
      { input: narrow, left: 90, top: 200 },
      { input: await photoText().png().toBuffer(), left: 920, top: 300 },
      { input: await picture().resize(700).png().toBuffer(), left: 900, top: 1100 },
    ]),
  );
}

async function alone(
  piece: ReturnType<typeof sampleImage>,
  at: { left: number; top: number },
  drawing: Drawing = {},
  sheet = blankSheet(),
): Promise<RawPage> {
  return drawn(sheet.composite([{ input: await piece.png().toBuffer(), ...at }]), drawing);
}

async function pale(): Promise<RawPage> {
  const page = await sample('letter');
  const data = page.data.map(value => 235 - Math.round((255 - value) * 0.4));
  addGrain(data, 5);
  return { ...page, data };
}

const ten: Readonly<Record<string, () => Promise<RawPage>>> = {
  'a letter': () => sample('letter', { dpi: 300 }),
  'an invoice': () => sample('invoice', { pixels: 'rgb24' }),
  'a delivery note with barcodes': () => sample('labels', { pixels: 'bw1' }),
  'a magazine with a picture': () => sample('photo', { dpi: 150, grain: 8 }),
  'two columns of small print': columns,
  'a note of a few lines': () =>
    alone(
      letterText().extract({ left: 0, top: 150, width: 1260, height: 230 }),
      { left: 200, top: 200 },
      { skew: 1.5 },
    ),
  'large print': () => alone(photoText().resize(1400), { left: 150, top: 300 }, { skew: -2 }),
  'pale print on grey paper': pale,
  'a skewed invoice on a dark background': async () =>
    onBackground(await sample('invoice', { skew: 4 }), { left: 120, top: 60, right: 90, bottom: 200, colour: 30 }),
  'a table on a landscape page': () => alone(table(), { left: 400, top: 500 }, { skew: -4 }, blankSheet(2200, 1700)),
};

void t.test('orientationOf: ten pages in four directions, at least 37 upright and none worse', async t => {
  const stayed: string[] = [];
  const worse: string[] = [];
  for (const [name, make] of Object.entries(ten)) {
    const upright = await make();
    for (const quarters of [0, 1, 2, 3] as const) {
      const found = orientationOf(rotatedBy(upright, quarters), upright.dpi);
      const after = (quarters + ('quarters' in found ? found.quarters : 0)) % 4;
      if (after === 0) continue;
      (after === quarters ? stayed : worse).push(`${name}, turned by ${quarters * 90}°`);
    }
  }
  t.comment(`${40 - stayed.length - worse.length} of 40 upright; stayed as they were: ${stayed.join('; ') || 'none'}`);
  t.strictSame(worse, []);
  t.ok(stayed.length <= 3, `stayed: ${stayed.join('; ')}`);
});

void t.test('rotate: every kind of pixels, 75 to 600 dpi, the upright page bit for bit', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (const dpi of [75, 100, 200, 600]) {
      if (dpi === 600 && pixels === 'rgb24') continue;
      const upright = await sample('letter', { dpi, pixels });
      const result = outcome('rotate', rotatedBy(upright, 1));
      t.ok('page' in result && Buffer.from(upright.data).equals(result.page.data), `${pixels} at ${dpi} dpi`);
    }
  }
});

void t.test('rotate: too little evidence, not applied, with a reason', async t => {
  const none = /no lines of text/;
  const doubtful = /does not tell|no lines of text/;
  const digits = () =>
    alone(sampleImage('invoice').extract({ left: 1200, top: 900, width: 330, height: 460 }), { left: 500, top: 500 });
  const pages: readonly (readonly [string, RawPage, RegExp])[] = [
    ['blank', await drawn(blankSheet()), none],
    ['grain', await drawn(blankSheet(1700, 2200, '#ccc'), { grain: 30 }), none],
    ['a picture', await drawn(picture().resize(1700, 2200, { fit: 'cover' })), doubtful],
    ['digits', await digits(), doubtful],
    ['one pixel', pageOf({ pixels: 'gray8', width: 1, height: 1, data: new Uint8Array(1) }, 300), none],
    [
      'a row of pixels',
      pageOf({ pixels: 'bw1', width: 5000, height: 1, data: new Uint8Array(625).fill(0xaa) }, 300),
      none,
    ],
  ];
  for (const [name, page, why] of pages) {
    for (const quarters of [0, 1, 2, 3] as const)
      t.match(outcome('rotate', rotatedBy(page, quarters)), { why }, `${name}, turned by ${quarters * 90}°`);
  }
  t.match(outcome('rotate', await sample('letter')), { why: 'the page is upright already' });
});
