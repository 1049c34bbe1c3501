/** The plugin `@platen/format-tiff`: contributes the format Tiff. */
import { definePlugin } from '@platen/core/plugin';
import { tiffFormat, type TiffOptions } from './tiff.js';

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
