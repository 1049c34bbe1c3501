/**
 * The driver contract with the real helpers, Wine's data source manager and a data source of each bitness. Every program
 * starts slowly under Wine, so each way (bitness, feeding, transfer) is in one of two shapes; contract.test.ts and
 * contractShapes.long.test.ts have six over the fake source, wineScans.long.test.ts each bitness with each transfer.
 */
import { driverContract, type DriverFeatures } from '@platen/conformance';
import t from 'tap';
import { body, faults, marks, type BodyOptions } from './rig.test.kit.js';
import { needsWine, sourceName, startWine } from './wine.test.kit.js';
import type { Bits } from './settings.js';

const full: DriverFeatures = {
  feeder: true,
  flatbed: true,
  duplex: true,
  faults,
  controls: ['area', 'brightness', 'contrast', 'threshold', 'sheets'],
  driverOptions: true,
  marks,
  packageUrl: new URL('./plugin.js', import.meta.url),
};

const shapes: readonly [
  name: string,
  bits: Bits,
  quirks: Readonly<Record<string, string | number>>,
  options?: BodyOptions['options'],
  features?: Partial<DriverFeatures>,
][] = [
  ['64 bits, sheet by sheet, whole pages', 64, { mechs: 'native', extras: 1, mark: 1 }],
  [
    '32 bits, batch, scans ahead, in strips',
    32,
    { autoscan: 1, mechs: 'memory', stride: 7, rows: 50, extras: 1, mark: 1, coarse: 3 },
    { feeding: 'batch' },
    { controls: ['area', 'brightness', 'contrast', 'threshold'] },
  ],
];

t.jobs = 2;
if (needsWine(t)) {
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  for (const [name, bits, quirks, options, features] of shapes) {
    void t.test(name, { buffered: true }, t =>
      driverContract(t, {
        make: () =>
          body(quirks, {
            helpers: wine.helpers,
            deviceId: sourceName(bits),
            options: { bits: [bits], ...options },
            deadlines: { abandon: 600, settle: 200 },
          }),
        features: { ...full, ...features },
      }),
    );
  }
}
