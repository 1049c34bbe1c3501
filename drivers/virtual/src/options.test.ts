/** Options: accepted values, and the errors for wrong ones. */
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { optionsSchema, readOptions, type ScannerOptions } from './options.js';

const read = (...scanners: ScannerOptions[]) => readOptions({ scanners }, '/data');

t.test('readOptions: contradictions, the error names the scanner', async t => {
  t.throws(() => read({ name: 'X', feeder: false }), { message: /"X".*feeder/ });
  t.throws(
    () => read({ name: 'X', feeder: false, flatbed: true, duplex: true }),
    /"X" scans both sides without a feeder/,
  );
  t.throws(() => read({ name: 'X', createTray: true }), /"X" has "createTray" without a "tray"/);
  t.throws(() => read({ name: 'X', pageSizes: ['A3'] }), /"X" has no page size that fits its scan area, Legal: A3/);
  t.throws(() => read({ name: 'X' }, { name: 'Y' }, { name: 'X' }), { message: /"X"/ });
});

t.test('readOptions: a name only, defaults', async t => {
  const [scanner] = read({ name: 'X' });
  t.match(scanner, {
    feeder: true,
    flatbed: false,
    duplex: false,
    tray: undefined,
    samples: 3,
    msPerPage: 0,
    paperSensor: true,
    feeding: 'perSheet',
  });
  t.same(scanner?.resolutions, [75, 100, 150, 200, 300, 600]);
  t.same(scanner?.pageSizes, ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto']);
});

t.test('readOptions: a scanner for A3, larger sizes fit', async t => {
  const [scanner] = read({ name: 'X', largest: 'A3', pageSizes: ['A3', 'A4'] });
  t.same([...(scanner?.pageSizes ?? [])].sort(), ['A3', 'A4']);
});

t.test('readOptions: tray relative to the data folder, no samples', async t => {
  t.match(read({ name: 'X', tray: 'trays/a' })[0], { tray: resolve('/data/trays/a'), samples: 0 });
  t.match(read({ name: 'X', tray: '/elsewhere', samples: 2 })[0], { tray: resolve('/elsewhere'), samples: 2 });
});

t.test('readOptions: lists sorted, page sizes that do not fit dropped', async t => {
  const [scanner] = read({
    name: 'X',
    resolutions: [300, 100],
    colorModes: ['BlackAndWhite', 'Color'],
    pageSizes: ['A3', 'Auto', 'A5'],
  });
  t.match(scanner, { resolutions: [100, 300], colorModes: ['Color', 'BlackAndWhite'], pageSizes: ['A5', 'Auto'] });
});

t.test('optionsSchema: accepts and rejects', async t => {
  const check = new Ajv({ strict: true, useDefaults: true }).compile(optionsSchema);
  const good: object[] = [
    { name: 'X' },
    {
      name: 'X',
      flatbed: true,
      duplex: true,
      tray: 'a',
      createTray: true,
      samples: 0,
      msPerPage: 50,
      backing: 'black',
      paperSensor: false,
    },
    {
      name: 'X',
      faults: [
        { sheet: 2, fault: 'paper-jam' },
        { sheet: 'always', fault: 'hang' },
        { sheet: 'open', fault: 'hang' },
      ],
      feeding: 'continuous',
      resolutions: [200],
    },
  ];
  for (const scanner of good) t.ok(check({ scanners: [scanner] }), JSON.stringify(check.errors));
  const bad: object[] = [
    {},
    { name: '' },
    { name: ' X' },
    { name: 'X', tray: '' },
    { name: 'X', feder: true },
    { name: 'X', samples: -1 },
    { name: 'X', msPerPage: -1 },
    { name: 'X', faults: [{ sheet: 0, fault: 'paper-jam' }] },
    { name: 'X', faults: [{ sheet: 'never', fault: 'paper-jam' }] },
    { name: 'X', faults: [{ sheet: 1, fault: 'fire' }] },
    { name: 'X', faults: [{ sheet: 1 }] },
    { name: 'X', resolutions: [] },
    { name: 'X', resolutions: [200, 200] },
    { name: 'X', colorModes: ['Sepia'] },
    { name: 'X', backing: 'red' },
  ];
  for (const scanner of bad) t.notOk(check({ scanners: [scanner] }), JSON.stringify(scanner));
  for (const sheet of ['open', 'close'] as const)
    t.throws(
      () => readOptions({ scanners: [{ name: 'X', faults: [{ sheet, fault: 'busy' }] }] }, ''),
      /"busy".*"hang"/,
    );
  t.notOk(check({ scanners: [] }));
  t.notOk(check({}));
  const filled = { scanners: [{ name: 'X' }] };
  t.ok(check(filled));
  t.match(filled, {
    scanners: [
      { feeder: true, flatbed: false, faults: [], pageSizes: ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto'] },
    ],
  });
});
