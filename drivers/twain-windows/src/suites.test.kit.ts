/** The suites of the driver: over the fake source, in each shape of a scanner and of a driver. */
import { defineSuites, type DriverFeatures } from '@platen/conformance';
import { body, fakeHelpers, faults, marks, type BodyOptions } from './rig.test.kit.js';

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults,
  devices: 2,
  unplugs: true,
  controls: ['area', 'sheets'],
  // A busy machine may be slower than a scanner.
  timeoutMs: 60_000,
  packageUrl: new URL('./plugin.js', import.meta.url),
};

/** With levels, options and a mark. */
const all: Partial<DriverFeatures> = {
  controls: ['area', 'brightness', 'contrast', 'threshold', 'sheets'],
  driverOptions: true,
  marks,
};

/** A bitmap announces its rows; strips do not, and the page ends where they end. */
const bitmaps: Partial<DriverFeatures> = { tears: true };
/** Of one whose source is in another process, as TWAIN's are: here, the pictures that it draws would count as copies. */
const apart: Partial<DriverFeatures> = {
  largePage: { resolution: 600, colorMode: 'Color' },
  // A listing is fresh for ten times as long as it took: with processes, longer than the suite waits.
  unplugs: false,
};

interface Shape {
  /** The fake source in processes of its own. */
  readonly isApart?: true;
  readonly quirks: Readonly<Record<string, string | number>>;
  readonly options?: BodyOptions['options'];
  readonly features?: Partial<DriverFeatures>;
}

const shapes: Readonly<Record<string, Shape>> = {
  'duplex feeder and flatbed, whole pages': {
    quirks: { mechs: 'native', adjusts: 1, extras: 1, mark: 1 },
    features: { ...all, ...bitmaps },
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
    isApart: true,
    features: { ...bitmaps, ...apart, controls: ['area'], marks },
  },
  'batch, scans ahead, in strips': {
    quirks: { autoscan: 1, mechs: 'memory' },
    options: { feeding: 'batch' },
    isApart: true,
    features: { ...apart, controls: ['area'] },
  },
  'flatbed only': { quirks: { hasfeeder: 0 }, features: { feeder: false, duplex: false, controls: ['area'] } },
};

export default defineSuites(
  Object.entries(shapes).map(([name, { quirks, options, isApart, features }], at) => ({
    kind: 'driver',
    name,
    make: () =>
      body(quirks, {
        ...(options && { options }),
        ...(isApart && { helpers: fakeHelpers }),
        second: 'Second Scanner',
        deadlines: { abandon: 600, settle: 200, rest: 100 },
      }),
    // 200 pages of one shape tell what is kept of a page; the others have fewer sheets, for the tests' time.
    features: { ...full, ...(at > 0 && { pages: 20 }), ...features },
    gaps: {
      'unplug-is-listed':
        'TWAIN lists installed sources; to ask each listed one would open it, and its driver may then show a window',
    },
  })),
);
