/** Geometry: resolutions and page sizes from the ranges and lists of real backends. */
import t from 'tap';
import { backends, type Backend } from '../backends.test.kit.js';
import type { Descriptor } from '../handle.js';
import { cornerChoices, pageSizesOf, paperChoices, resolutionsOf } from './geometry.js';

const resolutions: Readonly<Partial<Record<Backend, readonly number[]>>> = {
  fujitsu: [75, 100, 150, 200, 240, 300, 400, 600],
  epsonds: [75, 100, 150, 200, 240, 300, 400, 600, 1200],
  pixma: [75, 150, 300, 600],
  genesys: [75, 150, 300, 600, 1200],
  brother: [100, 150, 200, 300, 400, 600, 1200],
  epson2: [50, 60, 72, 75, 80, 90, 100, 120, 144, 150, 200, 240, 300, 600, 1200],
  umax: [75, 100, 150, 200, 240, 300],
};
const sizes: Readonly<Partial<Record<Backend, readonly string[]>>> = {
  fujitsu: ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
  genesys: ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
  pixma: ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
  brother: ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
};
const withResolution = (constraint: Descriptor['constraint']): Descriptor[] => [
  { ...backends.pixma[0]!, name: 'resolution', constraint },
];

t.test('resolutions: a list within limits, unchanged; a range, the usual steps', async t => {
  for (const [name, steps] of Object.entries(resolutions))
    t.strictSame(resolutionsOf(backends[name as Backend]), steps, name);
});

t.test('resolutions: odd ranges, at least one', async t => {
  t.strictSame(resolutionsOf(withResolution({ min: 60, max: 70, quant: 1 })), [70]);
  t.strictSame(
    resolutionsOf(withResolution({ min: 100, max: 1200, quant: 100 })),
    [100, 200, 300, 400, 600, 1200],
    'steps that the backend does not accept are skipped',
  );
  t.strictSame(resolutionsOf(withResolution({ words: [4800, 2400] })), [2400, 4800], 'only unusual values: those');
  t.strictSame(resolutionsOf([]), [], 'not a document scanner');
});

t.test('page sizes: those that fit; the area may be slightly narrower than the paper', async t => {
  for (const [name, fitting] of Object.entries(sizes))
    t.strictSame(pageSizesOf(backends[name as Backend], 300), fitting, name);
  t.strictSame(pageSizesOf([], 300), ['Auto'], 'a backend without an area');
});

t.test('page sizes: an area in pixels, converted by the resolution', async t => {
  const inPixels = backends.pixma.map((each): Descriptor => {
    const max = each.name.endsWith('-x') ? 2550 : 3510;
    return each.unit === 'mm' ? { ...each, unit: 'pixel', type: 'int', constraint: { min: 0, max, quant: 1 } } : each;
  });
  t.ok(pageSizesOf(inPixels, 300).includes('A4'), '2550 x 3510 at 300 dpi are Letter in width and A4 in height');
  t.notOk(pageSizesOf(inPixels, 600).includes('A5'));
  t.strictSame(cornerChoices(inPixels, 'A6', 300).slice(2), [
    { name: 'br-x', value: 1240 },
    { name: 'br-y', value: 1748 },
  ]);
});

t.test('area: the paper size first, then the corners, upper left first', async t => {
  t.strictSame(paperChoices(backends.fujitsu, 'A4', 300), [
    { name: 'page-width', value: 210 },
    { name: 'page-height', value: 297 },
  ]);
  t.strictSame(cornerChoices(backends.fujitsu, 'A4', 300), [
    { name: 'tl-x', value: 0 },
    { name: 'tl-y', value: 0 },
    { name: 'br-x', value: 210 },
    { name: 'br-y', value: 297 },
  ]);
  t.strictSame(paperChoices(backends.fujitsu, 'Auto', 300), [
    { name: 'page-width', value: 221.121 },
    { name: 'page-height', value: 876.695 },
  ]);
  t.strictSame(
    cornerChoices(backends.pixma, 'Auto', 300).slice(2),
    [
      { name: 'br-x', value: 216.069 },
      { name: 'br-y', value: 297.011 },
    ],
    'the whole area',
  );
});
