/** Scanners made of files, for development and tests without a scanner. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, readOptions, type VirtualOptions } from './options.js';

export default definePlugin<VirtualOptions>({
  name: '@platen/driver-virtual',
  api: 1,
  optionsSchema,
  async setup({ options, log, dataDir }) {
    // Imports sharp, which has no build for every system: importing this package must not fail there.
    const { virtualDriver } = await import('./driver.js');
    const driver = virtualDriver(readOptions(options, dataDir), log);
    // Logs at the start that a tray cannot be used, not at the first listing.
    for await (const _ of driver.devices({ signal: new AbortController().signal }));
    return { drivers: [driver] };
  },
});
