/** The plugin `@platen/format-tiff`: contributes the format Tiff. */
import { definePlugin } from '@platen/core/plugin';
import { tiffFormat } from './tiff.js';

export interface TiffOptions {
  /** Of colour and grey; 1-bit pages are always CCITT G4. */
  readonly compression: 'none' | 'lzw' | 'deflate';
}

export default definePlugin<TiffOptions>({
  name: '@platen/format-tiff',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      compression: { enum: ['none', 'lzw', 'deflate'], default: 'lzw' },
    },
  },
  setup: ({ options }) => ({ formats: [tiffFormat(options)] }),
});
