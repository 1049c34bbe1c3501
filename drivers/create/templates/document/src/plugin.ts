/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createFormat } from './cbz.js';
// licence: import { publicKey } from './publicKey.js';

export default definePlugin({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey },
  setup() {
    const format = createFormat();
    return { documents: [format], close: () => format.close() };
  },
});
