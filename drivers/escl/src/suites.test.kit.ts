/** The suites of the eSCL driver: over the test device in each of its shapes, without gaps. */
import { defineSuites, type DriverFeatures } from '@platen/conformance';
import { startDevice } from './testing/device.js';
import { faults, rigOf } from './rig.test.kit.js';
import type { EsclOptions } from './options.js';
import type { DeviceOptions } from './testing/options.js';

// A busy device refuses a job before any sheet is fed; the suite's faults come later.
const causes = (Object.keys(faults) as (keyof typeof faults)[]).filter(each => each !== 'busy');
const flatbedCauses = ['device-offline', 'cancelled', 'driver-failed', 'timeout', 'hang'] as const;

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults: causes,
  // The only hatch that eSCL can report is the feeder's.
  flatbedFaults: flatbedCauses,
  tears: true,
  unplugs: true,
  devices: 2,
  largePage: { resolution: 600, area: { x: 0, y: 0, width: 100, height: 100 } },
  controls: ['area', 'sheets'],
  driverOptions: true,
  // The cells of the device's marks that every sheet has, and what lies on its flatbed.
  marks: [
    { source: 'feeder', area: { x: 10.16, y: 30.48, width: 10.16, height: 10.16 }, lightness: 0 },
    { source: 'flatbed', area: { x: 10.16, y: 30.48, width: 20.32, height: 10.16 }, lightness: 0 },
  ],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};

interface Shape {
  readonly build?: DeviceOptions;
  readonly options?: Partial<EsclOptions>;
  readonly features?: Partial<DriverFeatures>;
}

// The test device feeds a sheet when it is fetched.
const perSheet = { feeding: 'perSheet' } as const;
const shapes: Readonly<Record<string, Shape>> = {
  'duplex, feeder and flatbed': { options: perSheet },
  'simplex, feeder only': {
    build: { feeder: 'simplex', flatbed: false },
    options: perSheet,
    features: { duplex: false, flatbed: false, marks: full.marks!.slice(0, 1) },
  },
  'flatbed only': {
    build: { feeder: 'none' },
    options: perSheet,
    features: { feeder: false, duplex: false, controls: ['area'], marks: full.marks!.slice(1) },
  },
  levels: {
    build: { levels: true, formats: ['image/jpeg', 'image/png'] },
    options: perSheet,
    features: { controls: ['area', 'brightness', 'contrast', 'threshold', 'sheets'] },
  },
  'no paper sensor': {
    build: { sensor: false, emptyFeeder: 'accepts' },
    options: perSheet,
    features: {
      faults: ['hang', 'timeout', 'device-offline'],
      flatbedFaults: ['hang', 'timeout', 'device-offline'],
    },
  },
  continuous: { features: { controls: ['area'] } },
  'continuous, two sheets ahead': { build: { ahead: 2 }, features: { controls: ['area'] } },
};

export default defineSuites(
  Object.entries(shapes).map(([name, { build = {}, options, features }], at) => ({
    kind: 'driver',
    name,
    // Some cases wait for a silence to end.
    make: async () => rigOf({ largeFrom: 600, ...build }, options, { silence: 3000 }, await startDevice(build)),
    // 200 pages of one shape tell what is kept of a page; the others have fewer sheets, for the tests' time.
    features: { ...full, ...(at > 0 && { pages: 20 }), ...features },
  })),
);
