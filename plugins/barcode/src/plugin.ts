/** The plugin `@platen/barcode`: contributes the recogniser of barcodes. */
import { availableParallelism } from 'node:os';
import { definePlugin } from '@platen/core/plugin';
import { openPool } from './pool.js';
import { barcodeRecogniser } from './recogniser.js';

export interface BarcodeOptions {
  /** One for each core when absent. */
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
      workers: { type: 'integer', minimum: 1, maximum: 64, description: 'pages that are read at the same time, each in a thread of its own; one for each core when absent' },
      thorough: {
        type: 'boolean',
        default: true,
        description: 'also look for codes at an angle, light on dark, on a tint or damaged, and twice where few scan lines agree; without it only upright and sideways codes, black on white',
      },
    },
  },
  setup({ options }) {
    const pool = openPool({ workers: options.workers ?? availableParallelism(), thorough: options.thorough });
    return { recognisers: [barcodeRecogniser(pool)], close: () => pool.close() };
  },
});
