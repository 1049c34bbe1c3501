/** The package as Platen loads it. */
import { definePlugin } from '@platen/core/plugin';
import { createDriver } from './driver.js';
// licence: import { publicKey } from './publicKey.js';

export interface Options {
  /** Addresses of scanners: `http://192.168.1.20`. */
  readonly devices: readonly string[];
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
      devices: {
        type: 'array',
        items: { type: 'string', pattern: '^http://[^/]+$' },
        uniqueItems: true,
        default: [],
        description: 'Addresses of scanners: http://192.168.1.20',
      },
    },
  },
  setup({ options: { devices }, log }) {
    const lacks = 'No scanner is configured: add its address to the option "devices" of @acme/acme-f100.';
    return { drivers: [createDriver(devices, log)], ...(devices.length === 0 && { lacks }) };
  },
});
