/** Over the fake source every promise is kept, in each shape of a scanner and of a driver. */
import { driverContract, type DriverFeatures } from '@platen/conformance';
import t from 'tap';
import { body, faults, type BodyOptions } from './rig.test.kit.js';

const full: DriverFeatures = { feeder: true, flatbed: true, duplex: true, faults, packageUrl: new URL('./plugin.js', import.meta.url) };

interface Shape {
  readonly quirks: Readonly<Record<string, string | number>>;
  readonly options?: BodyOptions['options'];
  readonly features?: Partial<DriverFeatures>;
}

const shapes: Readonly<Record<string, Shape>> = {
  'both sides and a glass, handed over whole': { quirks: { mechs: 'native', adjusts: 1 } },
  'one that scans ahead, in strips': { quirks: { autoscan: 1, mechs: 'memory', stride: 7, rows: 5 } },
  'a feeder for one side, without a sensor': { quirks: { hasflatbed: 0, hasduplex: 0, paperdetectable: 0 }, features: { flatbed: false, duplex: false } },
  'a batch of a source that does not scan ahead': { quirks: { mechs: 'native' }, options: { feeding: 'batch' } },
  'a batch of one that does, in strips': { quirks: { autoscan: 1, mechs: 'memory' }, options: { feeding: 'batch' } },
  'a glass': { quirks: { hasfeeder: 0 }, features: { feeder: false, duplex: false } },
};

t.jobs = 2;
for (const [name, { quirks, options, features }] of Object.entries(shapes)) {
  t.test(name, { buffered: true }, t => driverContract(t, {
    make: () => body(quirks, { ...(options && { options }), deadlines: { abandon: 600, settle: 200 } }),
    features: { ...full, ...features },
  }));
}
