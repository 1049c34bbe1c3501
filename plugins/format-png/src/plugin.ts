/** The plugin `@platen/format-png`: contributes the format Png. */
import { definePlugin } from '@platen/core/plugin';
import { pngFormat, type PngOptions } from './png.js';
import { createStripEncoder } from './strips/stripEncoder.js';

export default definePlugin<PngOptions>({
  name: '@platen/format-png',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      compressionLevel: { type: 'integer', minimum: 0, maximum: 9 },
    },
  },
  setup({ options }) {
    const strips = createStripEncoder();
    return { formats: [pngFormat(strips, options)], close: strips.close };
  },
});
