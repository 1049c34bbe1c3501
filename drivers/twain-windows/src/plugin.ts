/** Scanners of TWAIN, on Windows. */
import { definePlugin } from '@platen/core/plugin';

export default definePlugin({
  name: '@platen/driver-twain-windows',
  api: 1,
  platforms: ['win32'],
  async setup() {
    return { drivers: [] };
  },
});
