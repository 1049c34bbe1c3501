/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createRecogniser } from './recogniser.js';
// licence: import { publicKey } from './publicKey.js';

export default definePlugin({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey, provides: [{ kind: 'recogniser', id: 'ticks' }] },
  setup() {
    const recogniser = createRecogniser();
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
