/** The simulated device under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites, type DriverRig } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import { createDriver } from './driver.js';
import { simulateDevice, type Fault } from './simulator/device.js';

/** The device's fault for each code. */
const faults = {
  'paper-jam': 'JAM',
  'double-feed': 'DOUBLE',
  'cover-open': 'COVER',
  'no-paper': 'EMPTY',
  'device-offline': 'OFFLINE',
  hang: 'HANG',
} as const satisfies Readonly<Record<string, Fault>>;

async function make(): Promise<DriverRig> {
  const [device, second] = [await simulateDevice({ serial: '1' }), await simulateDevice({ serial: '2' })];
  const driver = createDriver([device.address, second.address], nullLog);
  return {
    driver,
    deviceId: device.address,
    load: async sheets => device.load(sheets),
    remaining: async () => device.remaining(),
    fault: async (sheet, code) => device.fault(sheet, faults[code as keyof typeof faults]),
    tear: async sheet => device.fault(sheet, 'TORN'),
    clearFaults: async () => device.clearFaults(),
    unplug: async () => device.unplug(),
    plug: async () => device.plug(),
    second: { deviceId: second.address, load: async sheets => second.load(sheets) },
    async dispose() {
      // All at once: a call that hangs ends with its device, and then the driver's close ends too.
      await Promise.all([driver.close(), device.close(), second.close()]);
    },
  };
}

export default defineSuites([
  {
    kind: 'driver',
    name: 'Acme F100 (simulated)',
    make,
    // Yours: what your device has, and which faults your simulator can cause. The suite leaves out the rest.
    features: {
      feeder: true,
      flatbed: true,
      duplex: true,
      faults: ['paper-jam', 'double-feed', 'cover-open', 'no-paper', 'device-offline', 'hang'],
      tears: true,
      unplugs: true,
      devices: 2,
      largePage: { resolution: 300, colorMode: 'Color' },
      controls: ['sheets'],
      driverOptions: true,
      packageUrl: new URL('./plugin.js', import.meta.url),
    },
  },
]);
