/** The simulated scanner under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites, type DriverRig } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import { createDriver } from './driver.js';
import { helperOf, simulated } from './helper.js';
import { simulate, type Fault } from './simulation.js';

/** The scanner's fault for each code. */
const faults = {
  'paper-jam': 'ACME_JAM',
  'double-feed': 'ACME_DOUBLE_FEED',
  'cover-open': 'ACME_COVER_OPEN',
  'no-paper': 'ACME_NO_PAPER',
  'device-offline': 'ACME_OFFLINE',
  'driver-failed': 'CRASH',
  hang: 'HANG',
} as const satisfies Readonly<Record<string, Fault>>;

async function make(): Promise<DriverRig> {
  const simulation = await simulate();
  const [device, second] = [await simulation.add('1'), await simulation.add('2')];
  const createHelper = helperOf(simulated, { ...process.env, ...simulation.env });
  const driver = createDriver({ log: nullLog, createHelper, silenceMs: 60_000 });
  return {
    driver,
    deviceId: device.id,
    load: device.load,
    remaining: device.remaining,
    fault: (sheet, code) => device.fault(sheet, faults[code as keyof typeof faults]),
    tear: sheet => device.fault(sheet, 'TORN'),
    clearFaults: device.clearFaults,
    unplug: device.unplug,
    plug: device.plug,
    second: { deviceId: second.id, load: second.load },
    async dispose() {
      await driver.close();
      await simulation.close();
    },
  };
}

export default defineSuites([
  {
    kind: 'driver',
    name: 'Acme F100 (simulated)',
    make,
    // Yours: what your scanner has, and which faults the simulation can cause. The suite leaves out the rest.
    features: {
      feeder: true,
      flatbed: true,
      duplex: true,
      faults: ['paper-jam', 'double-feed', 'cover-open', 'no-paper', 'device-offline', 'driver-failed', 'hang'],
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
