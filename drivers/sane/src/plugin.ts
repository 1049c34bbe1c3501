/** Scanners of SANE, on Linux. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type SaneOptions } from './settings.js';

export default definePlugin<SaneOptions>({
  name: '@platen/driver-sane',
  api: 1,
  platforms: ['linux'],
  optionsSchema,
  async setup({ options, log, dataDir }) {
    // On other systems this plugin registers nothing, because the driver starts processes.
    const { endLeftovers } = await import('@platen/driver-kit');
    const { saneProgram, helperOf } = await import('./helper.js');
    const { saneDriver } = await import('./driver.js');
    const driver = saneDriver({ options, log, createHelper: helperOf({ configDir: options.configDir, dataDir }) });
    // A helper that outlived its service may still hold a scanner.
    await endLeftovers(saneProgram.command, log);
    // Report what is missing now, not at the first listing.
    const lacks = await driver.check();
    return { drivers: [driver], health: driver.health, ...(lacks !== undefined && { lacks }) };
  },
});
