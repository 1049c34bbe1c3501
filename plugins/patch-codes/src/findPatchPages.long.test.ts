/** Patch codes at every resolution, in every kind of pixels and skewed each way; more pages without one. */
import { patchCodes, type Pixels, type RawPage } from '@platen/core/plugin';
import t from 'tap';
import { findPatch } from './findPatch.js';
import { greyOf } from './greyImage.js';
import { dice, edges, page, patch, sheetHeight, sheetWidth, type Rect } from './pages.test.kit.js';
import { thinned } from './thinnedPage.js';

const { signal } = new AbortController();
const find = async (sheet: RawPage) => findPatch(greyOf(await thinned(sheet, signal)));
const everyPixels: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

t.test('findPatch: 75 to 600 dpi in every kind of pixels, straight and skewed', async t => {
  let seed = 0;
  for (const dpi of [75, 100, 150, 200, 300, 600]) {
    for (const pixels of everyPixels) {
      for (const skew of dpi < 300 ? [-5, 0, 5] : [5]) {
        const code = patchCodes[seed++ % patchCodes.length]!;
        const edge = edges[seed % edges.length]!;
        const sheet = page(patch({ code, edge }), { dpi, pixels, skew, padding: seed % 4 }, seed);
        t.equal(await find(sheet), code, `${dpi} dpi ${pixels} ${skew}° ${code} ${edge}`);
      }
    }
  }
});

t.test('findPatch: text, tables and gratings by chance, more of them, no patch code', async t => {
  for (let seed = 12; seed < 40; seed++) {
    const random = dice(seed);
    const rects: Rect[] = [];
    const [most, gap] = [0.05 + random() * 0.4, 0.02 + random() * 0.3];
    for (let y = 0.2; y < sheetHeight - 0.3;) {
      const height = 0.02 + random() * most;
      for (let x = 0.3; x < sheetWidth - 0.3;) {
        const width = seed % 3 === 0 ? 3.4 : 0.02 + random() * 1.2;
        rects.push({ x, y, width: Math.min(width, sheetWidth - 0.3 - x), height });
        x += width + 0.02 + random() * 0.2;
      }
      y += height + 0.02 + random() * gap;
    }
    t.equal(await find(page(rects, { pixels: seed % 2 ? 'bw1' : 'gray8' }, seed)), undefined, `seed ${seed}`);
  }
});
