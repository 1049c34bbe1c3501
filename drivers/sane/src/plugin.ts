/** Scanners of SANE, on Linux. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type SaneOptions } from './settings.js';

export default definePlugin<SaneOptions>({
  name: '@platen/driver-sane',
  api: 1,
  platforms: ['linux'],
  optionsSchema,
  async setup({ options, log, dataDir }) {
    // On other systems importing this package does nothing: the driver starts processes.
    const { endLeftovers } = await import('@platen/driver-kit');
    const { command, helperOf } = await import('./helper.js');
    const { saneDriver } = await import('./driver.js');
    const driver = saneDriver({ options, log, createHelper: helperOf({ configDir: options.configDir, dataDir }) });
    // One that outlived its service may still have a scanner open.
    await endLeftovers(command, log);
    // What is missing is said now, not when somebody first looks for scanners.
    const lacks = await driver.check();
    return { drivers: [driver], ...(lacks !== undefined && { lacks }) };
  },
});
