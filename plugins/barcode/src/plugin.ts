/** The plugin `@platen/barcode`: contributes the barcode recogniser. */
import { availableParallelism } from 'node:os';
import { definePlugin } from '@platen/core/plugin';
import { barcodeRecogniser } from './recogniser.js';

export interface BarcodeOptions {
  /** One per core when absent. */
  readonly workers?: number;
  readonly thorough: boolean;
}

export default definePlugin<BarcodeOptions>({
  name: '@platen/barcode',
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
      thorough: {
        type: 'boolean',
        default: true,
        description:
          'Also look for codes at an angle, light on dark, on a tint or damaged, and look twice where few scan lines agree; ' +
          'false: only upright and sideways codes, black on white.',
      },
    },
  },
  setup({ options }) {
    const { workers = availableParallelism(), thorough } = options;
    const recogniser = barcodeRecogniser({ workers, thorough });
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
