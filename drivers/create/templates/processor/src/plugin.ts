/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createProcessor } from './processor.js';
// licence: import { publicKey } from './publicKey.js';

export default definePlugin({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey, provides: [{ kind: 'processor', id: 'remove-specks' }] },
  setup() {
    const processor = createProcessor();
    return { processors: [processor], close: () => processor.close() };
  },
});
