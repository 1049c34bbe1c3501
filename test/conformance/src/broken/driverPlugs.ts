/** Drivers that mix two devices up, and drivers that do not notice that a device goes and comes. */
import type { Page, Session } from '@platen/core/plugin';
import { shortTimeout, withDriver, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

const queue: Page[] = [];

export const driverPlugs: readonly BrokenDriver[] = [
  {
    breaks: 'devices-scan-at-once',
    how: 'has one queue of pages for all devices',
    says: /pages of the (first|second) device, while the other one scans: expected/,
    make: withScan(async function* ({ scan }) {
      for await (const page of scan()) {
        queue.push(page);
        for (let i = 0; i < 3; i++) await new Promise(setImmediate);
        const next = queue.find(each => each.dpi !== page.dpi) ?? page;
        queue.splice(queue.indexOf(next), 1);
        yield next;
      }
    }),
  },
  {
    breaks: 'devices-end-apart',
    how: 'ends all sessions with the first one',
    says: /the scan of the second device should go on when the first one is ended, but failed: cancelled/,
    make: withDriver(fake => {
      const sessions: Session[] = [];
      return {
        async open(deviceId, call) {
          const session = await fake.open(deviceId, call);
          sessions.push(session);
          return { ...session, close: async () => void (await Promise.all(sessions.map(each => each.close()))) };
        },
      };
    }),
  },
  {
    breaks: 'unplug-ends-a-scan',
    how: 'takes the end of a connection for the end of the paper',
    says: /a scan whose device was unplugged should fail with device-offline, but ended after sheet 1 front/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        // As if the feeder had been empty.
      }
    }),
  },
  {
    breaks: 'unplug-is-listed',
    how: 'lists what it has found once',
    says: /after the device was unplugged it is still listed as online/,
    features: shortTimeout,
    make: withDriver(fake => ({
      async *devices(call) {
        for await (const device of fake.devices(call)) yield { ...device, online: true };
      },
    })),
  },
  {
    breaks: 'unplug-is-listed',
    how: 'opens a device that is not there',
    says: /open of an unplugged device, or its scan, failed with no-paper/,
    make: withDriver(fake => ({
      async open(deviceId, call) {
        fake.plug(deviceId);
        return fake.open(deviceId, call);
      },
    })),
  },
  {
    breaks: 'unplug-is-told-to-watches',
    how: 'has a watch that watches nothing',
    says: /a watch of the driver, after the device was unplugged: nothing came/,
    features: shortTimeout,
    make: withDriver(() => ({ watch: () => () => {} })),
  },
  {
    breaks: 'unplug-is-told-to-watches',
    how: 'tells an open session nothing',
    says: /a watch of the session, after the device was unplugged: nothing came/,
    features: shortTimeout,
    make: withSession(() => ({ watch: () => () => {} })),
  },
  {
    breaks: 'unplug-and-plug-scans-again',
    how: 'leaves a device out for good that has gone once',
    says: /after the device was plugged in it is still not listed/,
    features: shortTimeout,
    make: withDriver(fake => {
      const gone = new Set<string>();
      return {
        async *devices(call) {
          for await (const device of fake.devices(call)) {
            if (!device.online) gone.add(device.id);
            if (!gone.has(device.id)) yield device;
          }
        },
      };
    }),
  },
];
