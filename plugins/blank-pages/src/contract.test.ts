/** The recogniser passes the published suite. */
import { recogniserContract } from '@platen/conformance';
import t from 'tap';
import { dice, text, words } from './testing/drawing.js';
import { scanned } from './testing/pages.js';
import { blankRecogniser } from './recogniser.js';

const page = await scanned({
  seed: 1,
  wide: 70,
  high: 50,
  dpi: 100,
  pixels: 'rgb24',
  paper: [250, 250, 248],
  front: text(words(dice(3), 14), 12, 25, 3, { ink: '#222' }),
  grain: 1,
});

await recogniserContract(t, {
  features: { kind: 'blank' },
  async make() {
    const recogniser = blankRecogniser({ workers: 2 });
    return {
      recogniser,
      page: () => ({ ...page, data: page.data.slice() }),
      dispose: () => recogniser.close(),
    };
  },
});
