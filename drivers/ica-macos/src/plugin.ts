/** Scanners of ImageCaptureCore, on macOS. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type IcaOptions } from './settings.js';

export default definePlugin<IcaOptions>({
  name: '@platen/driver-ica-macos',
  api: 1,
  platforms: ['darwin'],
  optionsSchema,
  async setup({ options, log }) {
    // On other systems importing this package does nothing: the driver starts processes.
    const { helperOf } = await import('./helper.js');
    const { icaDriver } = await import('./driver.js');
    const driver = icaDriver({ options, log, createHelper: helperOf() });
    // What is missing is said now, not when somebody first looks for scanners.
    const lacks = await driver.check();
    return { drivers: [driver], ...(lacks !== undefined && { lacks }) };
  },
});
