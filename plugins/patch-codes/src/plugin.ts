/** The plugin `@platen/patch-codes`: contributes the recogniser of patch codes. */
import { availableParallelism } from 'node:os';
import { definePlugin } from '@platen/core/plugin';
import { patchRecogniser } from './recogniser.js';

export interface PatchOptions {
  /** One per core when absent. */
  readonly workers?: number;
}

export default definePlugin<PatchOptions>({
  name: '@platen/patch-codes',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      workers: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        description: 'Pages that are read at the same time, each in its own thread; one per core when absent.',
      },
    },
  },
  setup({ options: { workers = availableParallelism() } }) {
    const recogniser = patchRecogniser({ workers });
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
