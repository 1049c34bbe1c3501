/** The plugin `@platen/ocr`: contributes the text recogniser. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type OcrOptions } from './options.js';

export default definePlugin<OcrOptions>({
  name: '@platen/ocr',
  api: 1,
  optionsSchema,
  async setup(context) {
    // Importing the package loads no engine and no image library.
    const { createRecogniser } = await import('./createRecogniser.js');
    const recogniser = await createRecogniser(context);
    return { recognisers: [recogniser], close: () => recogniser.close() };
  },
});
