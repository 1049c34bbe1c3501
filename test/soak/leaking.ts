/** The virtual scanners with a leak: each opening keeps descriptors, a timer and memory for good. */
import { openSync } from 'node:fs';
import virtual from '@platen/driver-virtual';

const kept: Buffer[] = [];

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default {
  ...virtual,
  name: 'platen-soak-leaking',
  async setup(context: Parameters<typeof virtual.setup>[0]) {
    const { drivers = [] } = await virtual.setup(context);
    return {
      drivers: drivers.map((driver): typeof driver => ({
        ...driver,
        id: 'leaking',
        async open(...call) {
          for (let count = 0; count < 5; count++) {
            openSync('/dev/null', 'r');
            setInterval(() => undefined, 60_000);
          }
          kept.push(Buffer.alloc(40e6, kept.length));
          return driver.open(...call);
        },
      })),
    };
  },
};
