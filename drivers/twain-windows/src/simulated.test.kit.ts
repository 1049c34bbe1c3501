/** The driver as a plugin for services in tests on Linux: its 64-bit helper and a simulated data source, under Wine. */
import { definePlugin } from '@platen/core/plugin';
import { createHelper } from '@platen/driver-kit';
import { twainDriver } from './driver.js';
import { optionsSchema, type TwainOptions } from './settings.js';

interface SimulatedOptions extends TwainOptions {
  /** The helper, as `wine` runs it; the service's environment is Wine's. */
  readonly program: string;
}

const simulated = definePlugin<SimulatedOptions>({
  name: 'platen-simulated-twain',
  api: 1,
  optionsSchema: {
    ...optionsSchema,
    required: ['program'],
    properties: { ...optionsSchema.properties, program: { type: 'string' } },
  },
  setup({ options, log }) {
    const { program, ...rest } = options;
    return {
      drivers: [
        twainDriver({
          options: rest,
          log,
          folders: [],
          createHelper: (_bits, its) =>
            createHelper({ name: 'twain x64', command: 'wine', args: [program], log: its, startMs: 20_000 }),
        }),
      ],
    };
  },
});

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default simulated;
