/** Drivers that list, open and close their devices wrongly. */
import type { Device, Driver } from '@platen/core/plugin';
import { deafTo, shortTimeout, withDriver, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

function withDevices(change: (device: Device) => Device): BrokenDriver['make'] {
  return withDriver(fake => ({
    async *devices(call) {
      for await (const device of fake.devices(call)) yield change(device);
    },
  }));
}

let listings = 0;

export const driverDevices: readonly BrokenDriver[] = [
  {
    breaks: 'devices-listing-ends-and-names-the-device',
    how: 'keeps listening for more devices',
    says: /device 3 of the listing, or its end: nothing came/,
    features: shortTimeout,
    make: withDriver(fake => ({
      async *devices(call) {
        yield* fake.devices(call);
        await new Promise(() => {});
      },
    })),
  },
  {
    breaks: 'devices-ids-are-unique',
    how: 'lists a device once for each of its sources',
    says: /ids of a listing, each once: expected/,
    make: withDriver(fake => ({
      async *devices(call) {
        yield* fake.devices(call);
        yield* fake.devices(call);
      },
    })),
  },
  {
    breaks: 'devices-ids-are-stable',
    how: 'counts devices on from listing to listing',
    says: /ids of a second listing: expected/,
    make: withDevices(device => ({ ...device, id: `${device.id}-${listings++}` })),
  },
  {
    breaks: 'devices-are-well-formed',
    how: 'leaves the model out',
    says: /device fake-1: model is not a string/,
    make: withDevices(device => ({ ...device, model: undefined as unknown as string })),
  },
  {
    breaks: 'devices-are-well-formed',
    how: 'has no name for a device',
    says: /device fake-1: name is not a string/,
    make: withDevices(device => ({ ...device, name: '' })),
  },
  {
    breaks: 'devices-are-well-formed',
    how: 'passes on whatever the device calls itself',
    says: /device fake-1: name has control characters/,
    make: withDevices(device => ({ ...device, name: 'Desk\u001b[2J' })),
  },
  {
    breaks: 'devices-are-well-formed',
    how: 'identifies a device by a number',
    says: /device fake-1: identities is not a string/,
    make: withDevices(device => ({ ...device, identities: [7 as unknown as string] })),
  },
  {
    breaks: 'devices-watch-can-be-ended',
    how: 'returns nothing from watch',
    says: /watch returns no function/,
    make: withDriver(() => ({ watch: (() => {}) as unknown as NonNullable<Driver['watch']> })),
  },
  {
    breaks: '3-aborted-listing-throws-at-once',
    how: 'lists for a caller who has gone',
    says: /a listing with an aborted signal should throw signal\.reason, but ended without a failure/,
    make: withDriver(fake => ({ devices: () => fake.devices({ signal: deafTo() }) })),
  },
  {
    breaks: 'open-gives-the-device-asked-for',
    how: 'opens the first device, whichever was asked for',
    says: /device fake-1 was opened, the session says fake-0/,
    make: withSession(session => ({ device: { ...session.device, id: 'fake-0' } })),
  },
  {
    breaks: 'open-twice-is-busy',
    how: 'gives the same session to everybody',
    says: /open of a device that is open already should fail with busy, but ended without a failure/,
    make: withDriver(fake => {
      let session: ReturnType<Driver['open']> | undefined;
      return { open: (deviceId, call) => (session ??= fake.open(deviceId, call)) };
    }),
  },
  {
    breaks: 'open-again-after-close',
    how: 'keeps the device when its session is closed',
    says: /a closed device cannot be opened again: busy/,
    make: withSession(() => ({ close: async () => {} })),
  },
  {
    breaks: 'close-is-idempotent',
    how: 'fails to close what is closed',
    says: /the session's second close fails: no known code/,
    make: withSession(session => {
      let open = true;
      return {
        async close() {
          if (!open) throw new Error('bad handle');
          open = false;
          await session.close();
        },
      };
    }),
  },
  {
    breaks: 'close-ends-a-scan',
    how: 'lets a scan run on after close',
    says: /after the session's close the scan went on to the last sheet/,
    make: withSession(() => ({ close: async () => {} })),
  },
  {
    breaks: 'close-of-the-driver-ends-a-scan',
    how: 'forgets its sessions when it is closed',
    says: /after the driver's close the scan went on to the last sheet/,
    make: withDriver(() => ({ close: async () => {} })),
  },
  {
    breaks: '3-aborted-open-throws-at-once',
    how: 'opens for a caller who has gone',
    says: /open with an aborted signal should throw signal\.reason, but ended without a failure/,
    make: withDriver(fake => ({ open: deviceId => fake.open(deviceId, { signal: deafTo() }) })),
  },
  {
    breaks: '9-unknown-device-is-device-not-found',
    how: 'opens whatever it is asked for',
    says: /open of an unknown device should fail with device-not-found, but ended without a failure/,
    make: withDriver(fake => ({ open: (_, call) => fake.open('fake-1', call) })),
  },
  {
    breaks: '9-scan-after-close-carries-a-code',
    how: 'fails with whatever its library throws',
    says: /without a code that a driver may use: no known code \(bad handle\)/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        throw new Error('bad handle');
      }
    }),
  },
];
