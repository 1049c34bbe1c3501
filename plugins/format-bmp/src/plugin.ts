/** The plugin `@platen/format-bmp`: contributes the format Bmp. */
import { definePlugin } from '@platen/core/plugin';
import { bmpFormat } from './bmp.js';

export default definePlugin({
  name: '@platen/format-bmp',
  api: 1,
  setup: () => ({ formats: [bmpFormat()] }),
});
