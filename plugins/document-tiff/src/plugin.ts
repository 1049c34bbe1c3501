/** The plugin `@platen/document-tiff`: contributes the document format Tiff. */
import { definePlugin } from '@platen/core/plugin';
import { tiffDocument } from './tiffDocument.js';
import type { TiffOptions } from './tiffPage.js';

export default definePlugin<TiffOptions>({
  name: '@platen/document-tiff',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      compression: { enum: ['none', 'lzw', 'deflate'], default: 'lzw' },
    },
  },
  setup: ({ options }) => ({ documents: [tiffDocument(options)] }),
});
