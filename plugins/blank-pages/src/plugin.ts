/** The plugin `@platen/blank-pages`: contributes the recogniser of blank pages. */
import { availableParallelism } from 'node:os';
import { definePlugin } from '@platen/core/plugin';
import { blankRecogniser } from './recogniser.js';

export default definePlugin({
  name: '@platen/blank-pages',
  api: 1,
  setup() {
    const recogniser = blankRecogniser({ workers: availableParallelism() });
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
