/** The plugin `@platen/ocr`: contributes the recogniser of text. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type OcrOptions } from './options.js';

export default definePlugin<OcrOptions>({
  name: '@platen/ocr',
  api: 1,
  optionsSchema,
  async setup(context) {
    // What it needs comes with it only here: importing the package does nothing.
    const { setUp } = await import('./setUp.js');
    const recogniser = await setUp(context);
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
