/** Scanners of ImageCaptureCore, on macOS. */
import { definePlugin } from '@platen/core/plugin';

export default definePlugin({
  name: '@platen/driver-ica-macos',
  api: 1,
  platforms: ['darwin'],
  setup: () => ({}),
});
