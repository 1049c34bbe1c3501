/** Patch codes at every resolution, in every kind of pixels and skewed each way; more pages without one. */
import { patchCodes, type Pixels, type RawPage } from '@platen/core/plugin';
import t from 'tap';
import { findPatch } from './findPatch.js';
import { greyOf } from './greyImage.js';
import { chancePage, edges, page, patch } from './pages.test.kit.js';
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
  for (let seed = 12; seed < 40; seed++) t.equal(await find(chancePage(seed)), undefined, `seed ${seed}`);
});
