/** Which pages have a patch code, and which one. */
import { patchCodes, type Pixels, type RawPage } from '@platen/core/plugin';
import t from 'tap';
import { findPatch } from './findPatch.js';
import { greyOf } from './greyImage.js';
import { bars, chancePage, edges, page, patch, type Look, type Rect } from './pages.test.kit.js';
import { thinned } from './thinnedPage.js';

const { signal } = new AbortController();
const find = async (sheet: RawPage) => findPatch(greyOf(await thinned(sheet, signal)));
const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

t.test('findPatch: every code along one edge, read from that edge', async t => {
  for (const code of patchCodes)
    for (const edge of edges) t.equal(await find(page(patch({ code, edge }))), code, `${code} ${edge}`);
});

t.test('findPatch: 75 to 600 dpi in every kind of pixels, straight and skewed', async t => {
  let seed = 0;
  for (const dpi of [75, 100, 200, 600]) {
    // One kind of pixels of the largest pages, which take the most time to draw.
    for (const pixels of dpi < 600 ? everyPixels : (['bw1'] as const)) {
      const code = patchCodes[seed++ % patchCodes.length]!;
      const edge = edges[seed % edges.length]!;
      const skew = [-5, 0, 5][(seed + Math.floor(seed / 3)) % 3]!;
      const sheet = page(patch({ code, edge }), { dpi, pixels, skew, padding: seed % 4 }, seed);
      t.equal(await find(sheet), code, `${dpi} dpi ${pixels} ${skew}° ${code} ${edge}`);
    }
  }
});

const hard: Readonly<Record<string, { readonly look?: Look; readonly patch?: Partial<Parameters<typeof patch>[0]> }>> =
  {
    'pale ink on grey paper': { look: { ink: 120, paper: [190, 190, 190], grain: 5 } },
    'red paper': { look: { pixels: 'rgb24', paper: [240, 90, 80] } },
    'blue paper': { look: { pixels: 'rgb24', paper: [90, 120, 230] } },
    noise: { look: { grain: 25 } },
    'specks in 1-bit pixels': { look: { pixels: 'bw1', dpi: 200, specks: 0.04 } },
    'specks at 100 dpi': { look: { pixels: 'bw1', specks: 0.02 } },
    'a black scanner bed around the sheet': { look: { bed: 0.5, skew: 3 } },
    'ink that spreads': { patch: { spread: 0.025 } },
    'ink that fades': { patch: { spread: -0.025 } },
    'printed at 95%': { patch: { scale: 0.95 } },
    'printed on paper of half the size': { patch: { scale: 0.71 } },
    'printed too large': { patch: { scale: 1.2 } },
    'bars as short as Kodak allows': { patch: { length: 0.75 } },
    'fed past the beginning of the margin': { patch: { margin: 0.02 } },
  };
for (const [at, [what, { look, patch: more }]] of Object.entries(hard).entries()) {
  t.test(`findPatch: ${what}, found`, async t => {
    for (const [index, code] of patchCodes.entries()) {
      // Two of the six codes, in turn, for the test's time.
      if ((index + at) % 3) continue;
      const edge = edges[index % edges.length]!;
      t.equal(await find(page(patch({ code, edge, ...more }), look, index)), code, `${code} ${edge}`);
    }
  });
}

t.test('findPatch: a patch that is torn, found if three quarters of an inch are left', async t => {
  // White over a corner: the bars end at different places.
  const torn = patch({ code: 'T', edge: 'top' }).map((bar, index) => ({ ...bar, width: 0.9 + 0.1 * index }));
  t.equal(await find(page(torn)), 'T');
});

t.test('findPatch: words close to the code, found', async t => {
  const words = [0.6, 1.3, 2.6].map(x => ({ x, y: 1.5, width: 0.55, height: 0.1 }));
  t.equal(await find(page([...patch({ code: '3', edge: 'top' }), ...words])), '3');
});

t.test('findPatch: a fold that hides a part, found', async t => {
  const left = patch({ code: '6', edge: 'top' });
  const parts = left.flatMap(bar => [
    { ...bar, width: 1.1 },
    { ...bar, x: bar.x + 1.25, width: 1.25 },
  ]);
  t.equal(await find(page(parts)), '6');
});

t.test('findPatch: the code along each edge, as on our sheet', async t => {
  for (const code of patchCodes) {
    const all = edges.flatMap(edge => patch({ code, edge, length: edge === 'top' || edge === 'bottom' ? 3.2 : 1.1 }));
    t.equal(await find(page(all, { skew: -4, pixels: 'bw1' })), code, code);
  }
});

const T = patch({ code: 'T', edge: 'top' });
const across = (y: number, height: number): Rect => ({ x: 0.5, y, width: 3, height });
const others: Readonly<Record<string, readonly Rect[]>> = {
  'nothing at all': [],
  'one bar': [across(1, 0.2)],
  'three of the bars': T.slice(1),
  'a fifth bar': bars([0.08, 0.2, 0.08, 0.2, 0.08], { edge: 'top' }),
  'two patches in one': bars([0.08, 0.2, 0.08, 0.2, 0.2, 0.08, 0.2, 0.08], { edge: 'top' }),
  'four narrow bars': bars([0.1, 0.1, 0.1, 0.1], { edge: 'top', space: 0.15 }),
  'three wide bars': bars([0.2, 0.2, 0.2, 0.08], { edge: 'top' }),
  'bars with wide spaces': bars([0.08, 0.2, 0.08, 0.2], { edge: 'top', space: 0.2 }),
  'bars of three widths': bars([0.08, 0.2, 0.14, 0.2], { edge: 'top' }),
  'bars that are too short': patch({ code: 'T', edge: 'top', length: 0.5 }),
  'bars that are too thin': patch({ code: 'T', edge: 'top', scale: 0.5 }),
  'bars that are too thick': patch({ code: 'T', edge: 'top', scale: 1.6 }),
  'print where white should be, inside': [...T, across(1.27, 0.1)],
  'print where white should be, outside': [...T, across(0.25, 0.1)],
  'a row of barcodes of the same thickness': bars([0.08, 0.2, 0.08, 0.08, 0.2, 0.08, 0.2, 0.2, 0.08, 0.08, 0.2], {
    edge: 'left',
  }),
  'the middle of a barcode for pallets': bars([0.08, 0.08, 0.2, 0.08, 0.2, 0.08], { edge: 'top', space: 0.08 }).map(
    (bar, index) => ({
      ...bar,
      y: bar.y + (index > 0 ? 0.2 : 0) + (index > 4 ? 0.2 : 0),
    }),
  ),
  'the bars on one half, and a slope between': T.map((bar, index) => ({ ...bar, x: bar.x + 0.6 * index, width: 0.6 })),
};
for (const [what, rects] of Object.entries(others)) {
  t.test(`findPatch: ${what}, no patch code`, async t => {
    for (const [pixels, skew] of [
      ['gray8', 0],
      ['bw1', 4],
    ] as const)
      t.equal(await find(page(rects, { pixels, skew, padding: 2 })), undefined, `${pixels} ${skew}°`);
  });
}

t.test('findPatch: pages of every small size, no patch code', async t => {
  for (const pixels of everyPixels) {
    for (const [width, height] of [
      [1, 1],
      [1, 400],
      [400, 1],
      [7, 5],
      [60, 60],
    ] as const) {
      const stride = width * 3;
      const data = new Uint8Array(stride * height);
      for (const dpi of [1, 75, 300, 1200])
        t.equal(
          await find({ kind: 'raw', sheet: 1, side: 'front', width, height, dpi, pixels, stride, data }),
          undefined,
        );
    }
  }
});

t.test('findPatch: text, tables and gratings by chance, no patch code', async t => {
  for (let seed = 0; seed < 12; seed++) t.equal(await find(chancePage(seed)), undefined, `seed ${seed}`);
});
