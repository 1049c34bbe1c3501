/** Scanners made of files, for whoever has no scanner at hand. */
import { definePlugin } from '@platen/core/plugin';
import { optionsSchema, readOptions, type VirtualOptions } from './options.js';

export default definePlugin<VirtualOptions>({
  name: '@platen/driver-virtual',
  api: 1,
  optionsSchema,
  async setup({ options, log, dataDir }) {
    // sharp comes with it, which has no build for every system: importing this package must not fail there.
    const { virtualDriver } = await import('./driver.js');
    const driver = virtualDriver(readOptions(options, dataDir), log);
    // A tray that cannot be used is said now, not when somebody first looks for scanners.
    for await (const _ of driver.devices({ signal: new AbortController().signal }));
    return { drivers: [driver] };
  },
});
