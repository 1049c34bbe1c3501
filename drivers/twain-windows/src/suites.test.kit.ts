/** The suites of the driver: over the fake source, in each shape of a scanner and of a driver. */
import { defineSuites, type DriverFeatures } from '@platen/conformance';
import { body, faults, marks, type BodyOptions } from './rig.test.kit.js';

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults,
  controls: ['area', 'sheets'],
  packageUrl: new URL('./plugin.js', import.meta.url),
};

/** With levels, options and a mark. */
const all: Partial<DriverFeatures> = {
  controls: ['area', 'brightness', 'contrast', 'threshold', 'sheets'],
  driverOptions: true,
  marks,
};

interface Shape {
  readonly quirks: Readonly<Record<string, string | number>>;
  readonly options?: BodyOptions['options'];
  readonly features?: Partial<DriverFeatures>;
}

const shapes: Readonly<Record<string, Shape>> = {
  'duplex feeder and flatbed, whole pages': {
    quirks: { mechs: 'native', adjusts: 1, extras: 1, mark: 1 },
    features: all,
  },
  'scans ahead, in strips': {
    quirks: { autoscan: 1, mechs: 'memory', stride: 7, rows: 5, extras: 1, mark: 1 },
    features: all,
  },
  'simplex feeder only, without a sensor': {
    quirks: { hasflatbed: 0, hasduplex: 0, paperdetectable: 0 },
    features: { flatbed: false, duplex: false },
  },
  'batch, does not scan ahead, whole pages': {
    quirks: { mechs: 'native', mark: 1, coarse: 0.05 },
    options: { feeding: 'batch' },
    features: { controls: ['area'], marks },
  },
  'batch, scans ahead, in strips': {
    quirks: { autoscan: 1, mechs: 'memory' },
    options: { feeding: 'batch' },
    features: { controls: ['area'] },
  },
  'flatbed only': { quirks: { hasfeeder: 0 }, features: { feeder: false, duplex: false, controls: ['area'] } },
};

export default defineSuites(
  Object.entries(shapes).map(([name, { quirks, options, features }]) => ({
    kind: 'driver',
    name,
    make: () => body(quirks, { ...(options && { options }), deadlines: { abandon: 600, settle: 200 } }),
    features: { ...full, ...features },
  })),
);
