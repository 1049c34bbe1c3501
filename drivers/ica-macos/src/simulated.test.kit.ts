/**
 * The driver as a plugin for services in tests, over the simulated ImageCaptureCore. Its scanners are the folders in
 * `ica` in the data folder.
 */
import { join } from 'node:path';
import { definePlugin } from '@platen/core/plugin';
import { icaDriver } from './driver.js';
import { helperOf } from './helper.js';
import { optionsSchema, type IcaOptions } from './settings.js';

interface SimulatedOptions extends IcaOptions {
  /** The helper that native/simulation/build.mjs builds. */
  readonly program: string;
}

const simulated = definePlugin<SimulatedOptions>({
  name: 'platen-simulated-ica',
  api: 1,
  optionsSchema: {
    ...optionsSchema,
    required: ['program'],
    properties: { ...optionsSchema.properties, program: { type: 'string' } },
  },
  setup({ options, log, dataDir }) {
    // A Mac's run loop does not follow the clock, and GNUstep's does: a test that sets the clock spares the helper.
    const { LD_PRELOAD: _, ...inherited } = process.env;
    const env = { ...inherited, PLATEN_ICA_SIMULATION: join(dataDir, 'ica') };
    return { drivers: [icaDriver({ options, log, createHelper: helperOf(options.program, env) })] };
  },
});

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default simulated;
