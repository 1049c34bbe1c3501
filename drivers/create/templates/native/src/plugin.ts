/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
// licence: import { publicKey } from './publicKey.js';

export interface Options {
  /** A scanner that sends nothing for this long has failed. */
  readonly silenceSeconds: number;
}

export default definePlugin<Options>({
  name: '@acme/acme-f100',
  api: 1,
  // licence: premium: { publicKey },
  // Yours: what a customer configures. Platen checks it, and fills in the defaults, before it calls setup.
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      silenceSeconds: {
        type: 'integer',
        minimum: 5,
        maximum: 600,
        default: 60,
        description: 'A scanner that sends nothing for so many seconds has failed',
      },
    },
  },
  async setup({ options, log }) {
    // Only now, so that importing the package does nothing.
    const { createDriver } = await import('./driver.js');
    const { helperOf } = await import('./helper.js');
    const driver = createDriver({ log, createHelper: helperOf(), silenceMs: options.silenceSeconds * 1000 });
    // A sentence if the program is missing, or does not start.
    const lacks = await driver.check();
    return { drivers: [driver], ...(lacks !== undefined && { lacks }) };
  },
});
