/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createFormat } from './format.js';
// licence: import { publicKey } from './publicKey.js';

export default definePlugin({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey, provides: [{ kind: 'format', id: 'Qoi' }] },
  setup() {
    const format = createFormat();
    return { formats: [format], close: () => format.close() };
  },
});
