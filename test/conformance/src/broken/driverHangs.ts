/** Drivers that hang: each as a rig whose `dispose` closes the driver, as most do. */
import type { DriverRig } from '../driverRig.js';
import { fakeRig } from '../fakeRig.js';
import { deafTo } from './brokenDriver.js';

const never = (): Promise<never> => new Promise(() => undefined);

/** The commonest mistake of a first driver: a call of the scan ignores its signal. Its close waits for the scan. */
export function neverEndingCall(): DriverRig {
  let stuck = false;
  const rig = fakeRig({}, fake => ({
    id: fake.id,
    devices: call => fake.devices(call),
    async open(deviceId, call) {
      const session = await fake.open(deviceId, call);
      return {
        ...session,
        async *scan(order, { stop }) {
          stuck = true;
          yield* session.scan(order, { stop, signal: deafTo() });
          stuck = false;
        },
      };
    },
    close: () => (stuck ? never() : fake.close()),
  }));
  return { ...rig, dispose: () => rig.driver.close() };
}

/** Its close never ends, whatever was done. */
export function neverEndingClose(): DriverRig {
  const rig = fakeRig({}, fake => ({
    id: fake.id,
    devices: call => fake.devices(call),
    open: (deviceId, call) => fake.open(deviceId, call),
    close: never,
  }));
  return { ...rig, dispose: () => rig.driver.close() };
}
