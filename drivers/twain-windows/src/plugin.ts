/** TWAIN scanners, on Windows. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type TwainOptions } from './settings.js';

export default definePlugin<TwainOptions>({
  name: '@platen/driver-twain-windows',
  api: 1,
  platforms: ['win32'],
  optionsSchema,
  async setup({ options, log, dataDir }) {
    // On other systems this plugin registers nothing, because the driver starts processes.
    const { helpersOf } = await import('./helper.js');
    const { twainDriver } = await import('./driver.js');
    return { drivers: [twainDriver({ options, log, createHelper: helpersOf(options.helpers, dataDir) })] };
  },
});
