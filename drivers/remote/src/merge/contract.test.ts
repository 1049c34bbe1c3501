/** A driver among others keeps every promise of the contract that it keeps alone. */
import { driverContract, type DriverRig, fakeDriver } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { mergeDrivers } from './mergeDrivers.js';

async function make(): Promise<DriverRig> {
  const fake = fakeDriver();
  const driver = mergeDrivers('merged', [fakeDriver({ id: 'other', devices: [{}, {}] }), fake], nullLog);
  return {
    driver,
    deviceId: 'fake/fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    clearFaults: async () => fake.clearFaults(),
    dispose: () => driver.close(),
  };
}

await driverContract(t, {
  make,
  features: {
    feeder: true,
    flatbed: true,
    duplex: true,
    faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
    packageUrl: new URL('../remote.js', import.meta.url),
  },
});
