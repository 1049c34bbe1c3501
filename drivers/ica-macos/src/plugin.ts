/** Scanners of ImageCaptureCore, on macOS. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type IcaOptions } from './settings.js';

export default definePlugin<IcaOptions>({
  name: '@platen/driver-ica-macos',
  api: 1,
  platforms: ['darwin'],
  optionsSchema,
  async setup({ options, log }) {
    // On other systems this plugin registers nothing, because the driver starts processes.
    const { helperOf } = await import('./helper.js');
    const { icaDriver } = await import('./driver.js');
    const driver = icaDriver({ options, log, createHelper: helperOf() });
    // Report what is missing now, not at the first listing.
    const lacks = await driver.check();
    return { drivers: [driver], ...(lacks !== undefined && { lacks }) };
  },
});
