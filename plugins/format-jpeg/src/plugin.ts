/** The plugin `@platen/format-jpeg`: contributes the format Jpeg. */
import { definePlugin } from '@platen/core/plugin';
import { jpegFormat } from './jpeg.js';

export default definePlugin({
  name: '@platen/format-jpeg',
  api: 1,
  setup: () => ({ formats: [jpegFormat()] }),
});
