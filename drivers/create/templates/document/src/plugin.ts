/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createFormat } from './cbz.js';
// licence: import { publicKey } from './publicKey.js';

export default definePlugin({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey, provides: [{ kind: 'document', id: 'cbz' }] },
  setup() {
    const format = createFormat();
    return { documents: [format], close: () => format.close() };
  },
});
