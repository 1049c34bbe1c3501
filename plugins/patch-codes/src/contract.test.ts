/** The recogniser passes the published suite. */
import { recogniserContract } from '@platen/conformance';
import t from 'tap';
import { page, patch } from './pages.test.kit.js';
import { patchRecogniser } from './recogniser.js';

// Not the same in both directions, and along one edge only.
const sheet = page(patch({ code: '6', edge: 'top' }), { pixels: 'rgb24' });

await recogniserContract(t, {
  features: { kind: 'patch' },
  async make() {
    const recogniser = patchRecogniser({ workers: 2 });
    return {
      recogniser,
      page: () => ({ ...sheet, data: sheet.data.slice() }),
      holds: '6',
      dispose: () => recogniser.close(),
    };
  },
});
