/** Cropping sheets of every paper on every background, wherever they lie. */
import t from 'tap';
import { cropsTo, papers, places, printed } from './crop.test.kit.js';

void t.test('crop: sheets on dark and light backgrounds, at most 4 pixels larger than the sheet', async t => {
  for (const pixels of ['gray8', 'rgb24'] as const) {
    for (const levels of papers) {
      const sheet = await printed(levels[0], pixels);
      for (const sides of places) cropsTo(t, sheet, sides, levels);
    }
  }
});
