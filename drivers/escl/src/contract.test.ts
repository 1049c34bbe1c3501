/** Every promise is kept over the test device, in each of its shapes, without a gap. */
import { driverContract, type DriverFeatures } from '@platen/conformance';
import t from 'tap';
import { faults, rigOf } from './rig.test.kit.js';
import type { EsclOptions } from './options.js';
import type { DeviceOptions } from './testing/options.js';

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  // A device that is busy says so when a job begins, before any sheet: the suite causes faults later.
  faults: (Object.keys(faults) as (keyof typeof faults)[]).filter(each => each !== 'busy'),
  tears: true,
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
  'duplex, feeder and glass': { options: perSheet },
  'simplex, feeder only': { build: { feeder: 'simplex', glass: false }, options: perSheet, features: { duplex: false, flatbed: false } },
  'glass only': { build: { feeder: 'none' }, options: perSheet, features: { feeder: false, duplex: false } },
  'no paper sensor': { build: { sensor: false, emptyFeeder: 'accepts' }, options: perSheet, features: { faults: ['hang', 'timeout', 'device-offline'] } },
  continuous: {},
  'continuous, two sheets ahead': { build: { ahead: 2 } },
};

// The suite watches for what must not happen: mostly it waits, so the shapes wait together.
t.jobs = 6;
for (const [name, { build = {}, options, features }] of Object.entries(shapes)) {
  t.test(name, { buffered: true }, t => driverContract(t, { make: () => rigOf(build, options), features: { ...full, ...features } }));
}
