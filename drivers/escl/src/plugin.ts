/** Driverless network scanners, on every operating system. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, type EsclOptions } from './options.js';

export default definePlugin<EsclOptions>({
  name: '@platen/driver-escl',
  api: 1,
  optionsSchema,
  async setup({ options, log, dataDir }) {
    const { esclDriver } = await import('./driver.js');
    const driver = esclDriver({ options, log, dataDir });
    return {
      drivers: [driver],
      health: driver.health,
      find: async call => (await import('./discovery/find.js')).findScanners(options, log, call),
    };
  },
});
