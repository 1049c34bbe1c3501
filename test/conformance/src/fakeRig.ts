/** The fake driver as a rig for the driver suite. */
import type { Driver } from '@platen/core/plugin';
import type { DriverFeatures, DriverRig } from './driverRig.js';
import { fakeDriver, type FakeDriver, type FakeDriverOptions } from './fakeDriver.js';

/** Everything that the fake can do; promise 7 is tested with `@platen/core/plugin`. */
export const fakeFeatures: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
  tears: true,
  packageUrl: new URL(import.meta.resolve('@platen/core/plugin')),
};

/** @param wrap may put another driver in front of the fake: a broken one */
export function fakeRig(options: FakeDriverOptions = {}, wrap: (fake: FakeDriver) => Driver = fake => fake): DriverRig {
  const fake = fakeDriver(options);
  return {
    driver: wrap(fake),
    deviceId: 'fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    tear: async sheet => fake.fault(sheet, 'torn'),
    clearFaults: async () => fake.clearFaults(),
    dispose: () => fake.close(),
  };
}
