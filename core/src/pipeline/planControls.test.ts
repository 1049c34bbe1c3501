/** Who does a control: the device, software or nobody; and what is refused before paper moves. */
import { fakeFormat, fakeProcessor } from '@platen/conformance';
import t from 'tap';
import type { Area, DriverOption, HardwareControl, ReservedOption } from '../contract/controls.js';
import type { Capabilities, SourceCapabilities } from '../contract/driver.js';
import type { ProcessorTask } from '../contract/processor.js';
import { planScan, type ScanPlan } from './plan.js';
import type { ScanOptions } from './scanOptions.js';

const source: SourceCapabilities = {
  resolutions: [100, 300],
  colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
  duplex: false,
  pageSizes: ['Letter', 'A4', 'A5', 'Auto'],
  adjustments: [],
};
const all = ['area', 'brightness', 'contrast', 'threshold', 'color'] as const;

interface Given extends Partial<
  Pick<ScanOptions, 'autoCrop' | 'controls' | 'source' | 'sheets' | 'colorMode' | 'given'>
> {
  /** What the hardware does. */
  readonly does?: readonly HardwareControl[];
  readonly loaded?: readonly ProcessorTask[];
  readonly more?: Partial<SourceCapabilities>;
  readonly capabilities?: Capabilities;
  readonly maxPixels?: number;
}

function plan({
  does,
  loaded = all,
  more,
  capabilities,
  maxPixels = 1e9,
  ...asked
}: Given): ScanPlan & { notes: unknown[] } {
  const notes: unknown[] = [];
  const feeder = { ...source, ...(does && { controls: does }), ...more };
  const made = planScan({
    device: {
      id: 'a',
      name: 'A',
      manufacturer: 'M',
      model: 'A',
      online: true,
      feeder: true,
      flatbed: true,
      duplex: false,
      feeding: 'perSheet',
    },
    capabilities: capabilities ?? { feeder },
    paper: 'empty',
    options: {
      duplexMode: 'Simplex',
      pageSize: 'Letter',
      format: 'Png',
      quality: 90,
      ocr: false,
      timeoutSeconds: 0,
      report: false,
      ...asked,
    },
    software: { processors: loaded.map(each => fakeProcessor(each)), formats: [fakeFormat({ name: 'Png' })] },
    maxPixels,
    note: ({ code, field }) => void notes.push([code, field]),
  });
  return { ...made, notes };
}

const area = { x: 10, y: 20, width: 100, height: 50 };
const invalid = (field: string, message: RegExp) => ({ code: 'invalid-value', field, message });

t.test('source: overrides the idle state; one that the scanner lacks is refused', async t => {
  const both = { feeder: source, flatbed: source };
  t.equal(plan({ capabilities: both }).order.source, 'flatbed', 'the feeder says that it is empty');
  t.equal(plan({ capabilities: both, source: 'Auto' }).order.source, 'flatbed');
  t.equal(plan({ capabilities: both, source: 'Feeder' }).order.source, 'feeder');
  t.equal(plan({ capabilities: both, source: 'Flatbed' }).order.source, 'flatbed');
  t.throws(() => plan({ source: 'Flatbed' }), invalid('source', /Feeder or Auto/));
  t.throws(() => plan({ capabilities: { flatbed: source }, source: 'Feeder' }), invalid('source', /Flatbed or Auto/));
});

t.test('sheets: in the order of the feeder, not of the flatbed', async t => {
  t.equal(plan({ sheets: 3 }).order.sheets, 3);
  t.notOk('sheets' in plan({}).order);
  t.notOk('sheets' in plan({ capabilities: { flatbed: source }, sheets: 3 }).order);
});

t.test('controls: the device does what it names, software the rest, and a note says what nobody does', async t => {
  const controls = { area, brightness: 10, contrast: -5 };
  const device = plan({ controls, does: ['area', 'brightness', 'contrast'] });
  t.match(device.order, controls);
  t.same([device.controls, device.notes], [controls, []]);
  const software = plan({ controls });
  t.notOk('area' in software.order || 'brightness' in software.order || 'contrast' in software.order);
  t.same([software.controls, software.notes], [controls, []]);
  t.equal(software.order.pageSize, 'A5', 'the smallest that holds the area');
  const nobody = plan({ controls, loaded: [] });
  t.same(
    nobody.notes,
    ['area', 'brightness', 'contrast'].map(field => ['adjustment-ignored', field]),
  );
  t.equal(nobody.order.pageSize, 'Letter');
  t.same(plan({ controls: { brightness: 0, contrast: 0 }, loaded: [] }).controls, {}, '0 changes nothing');
});

t.test('threshold: for BlackAndWhite; software needs levels from the device', async t => {
  const bw = { controls: { threshold: 99 }, colorMode: 'BlackAndWhite' } as const;
  t.match(plan({ ...bw, does: ['threshold'] }).order, { threshold: 99, colorMode: 'BlackAndWhite' });
  t.match(plan(bw), { order: { colorMode: 'Grayscale' }, controls: { threshold: 99 }, notes: [] });
  t.notOk('threshold' in plan(bw).order);
  t.same(plan({ ...bw, colorMode: 'Grayscale' }).controls, {});
  const lighter = plan({ ...bw, controls: { threshold: 99, brightness: 5 }, does: ['threshold'] });
  t.match(lighter, { order: { colorMode: 'Grayscale' }, controls: { threshold: 99, brightness: 5 }, notes: [] });
  t.notOk('threshold' in lighter.order, 'the page is reduced after it was made lighter');
  const onlyBw = plan({ ...bw, controls: { threshold: 9, brightness: 9 }, more: { colorModes: ['BlackAndWhite'] } });
  t.same(onlyBw.notes, [
    ['adjustment-ignored', 'brightness'],
    ['adjustment-ignored', 'threshold'],
  ]);
  const coloured = plan({ ...bw, does: ['threshold'], more: { colorModes: ['Grayscale'] } });
  t.notOk('threshold' in coloured.order, 'the device has no mode for it');
  const grey = plan({ controls: { threshold: 99 }, colorMode: 'Grayscale', does: ['threshold'] });
  t.match(grey, { order: { threshold: undefined }, notes: [['adjustment-ignored', 'threshold']] });
});

t.test('area: beyond the limits, refused with the field and the range', async t => {
  const more = { area: { width: 210, height: 300, minWidth: 10, minHeight: 5 } };
  const ask = (changes: Partial<typeof area>, given: Given = { does: ['area'] }) =>
    plan({ ...given, more, controls: { area: { ...area, ...changes } } });
  t.throws(() => ask({ width: 200.1 }), invalid('area', /x \+ width.*210 mm/));
  t.throws(() => ask({ y: 250.1 }), invalid('area', /y \+ height.*300 mm/));
  t.throws(() => ask({ width: 9 }), invalid('area.width', /10 to 210 mm/));
  t.throws(() => ask({ height: 4 }), invalid('area.height', /5 to 300 mm/));
  t.throws(() => ask({ y: 251 }, {}), invalid('area', /300 mm/), 'also when software cuts it');
  t.equal(ask({ width: 200.04 }).order.pageSize, 'Letter');
  t.equal(ask({ y: 249 }, {}).order.pageSize, 'Auto', 'larger than every page size that holds it');
  t.throws(
    () => plan({ controls: { area: { ...area, y: 250 } }, more: { pageSizes: ['A5', 'A4'] } }),
    invalid('area', /297 mm/),
  );
  t.throws(() => plan({ controls: { area }, does: ['area'], maxPixels: 10_000 }), invalid('resolution', /100 x 50 mm/));
  const wide = { x: 0, y: 0, width: 500, height: 3 };
  t.throws(
    () => plan({ controls: { area: wide }, more: { pageSizes: ['A6', 'Auto'] } }),
    invalid('area', /105 mm/),
    'as the details of the capabilities say',
  );
  const huge = { x: 0, y: 0, width: 1e5, height: 1e5 };
  const auto = { more: { pageSizes: ['Auto'] } } as const;
  t.throws(() => plan({ controls: { area: huge }, ...auto }), invalid('resolution', /100000 x 100000 mm/), 'no limits');
  t.match(plan({ controls: { area: wide }, ...auto }).order, { pageSize: 'Auto' });
});

t.test('area: within the rounding of a limit, ordered within the limit', async t => {
  const more = { area: { width: 210, height: 297, minWidth: 10, minHeight: 10 } };
  const ordered = (asked: Area) => plan({ more, does: ['area'], controls: { area: asked } }).order.area!;
  t.same(ordered(area), area);
  for (const asked of [
    { x: 110.04, y: 247.04, width: 100, height: 50 },
    { x: 0, y: 0, width: 210.04, height: 297.04 },
    { x: 199, y: 0, width: 9.96, height: 297 },
  ]) {
    const { x, y, width, height } = ordered(asked);
    t.ok(x >= 0 && y >= 0 && x + width < 210.001 && y + height < 297.001, JSON.stringify(asked));
    t.ok(width >= 10 && height >= 10);
    t.ok(Math.abs(x - asked.x) < 0.05 && Math.abs(width - asked.width) < 0.05);
  }
});

t.test('area: in software, too large for the memory of a page, refused also without limits', async t => {
  const ask = (width: number, more: Partial<SourceCapabilities> = {}) =>
    plan({ more: { pageSizes: ['Auto'], ...more }, controls: { area: { ...area, width } }, maxPixels: 10_000_000 });
  t.throws(() => ask(100_000), invalid('resolution', /100000 x 50 mm/));
  t.equal(ask(100).order.pageSize, 'Auto');
  t.throws(() => ask(10, { pageSizes: ['A3'], resolutions: [600] }), invalid('resolution', /A3/), 'the page itself');
});

t.test('area: autoCrop has no effect, and a note says so', async t => {
  for (const does of [['area'], []] as const) {
    const cropped = plan({ does, more: { adjustments: ['crop'] }, autoCrop: true, controls: { area } });
    t.same([cropped.order.adjustments, cropped.adjustments], [[], []]);
    t.same(cropped.notes, [['adjustment-ignored', 'autoCrop']]);
  }
  const nobody = plan({ loaded: ['crop'], autoCrop: true, controls: { area } });
  t.same(nobody.adjustments, ['crop'], 'nobody does the area');
});

t.test('driverOptions: ordered; unknown, of the wrong type, or beside what they set, refused', async t => {
  const driverOptions: DriverOption[] = [
    { name: 'lamp', type: 'string', values: ['warm', 'cold'] },
    { name: 'mode', type: 'string', controls: ['colorMode'] },
    { name: 'tl-x', type: 'number', controls: ['area', 'pageSize'] },
  ];
  const reservedOptions: ReservedOption[] = [{ name: 'source', controls: ['source', 'duplexMode'] }];
  const ask = (values: Record<string, string | number>, given?: readonly string[]) =>
    plan({ more: { driverOptions, reservedOptions }, controls: { driverOptions: values }, ...(given && { given }) });
  t.same(ask({ lamp: 'cold' }).order.driverOptions, { lamp: 'cold' });
  t.notOk('driverOptions' in ask({}).order);
  t.throws(() => ask({ beep: 1 }), invalid('driverOptions.beep', /lamp, mode, tl-x/));
  t.throws(() => ask({ lamp: 'hot' }), invalid('driverOptions.lamp', /warm, cold/));
  t.throws(() => ask({ lamp: 1 }), invalid('driverOptions.lamp', /warm, cold/));
  t.same(ask({ mode: 'x' }, ['resolution']).order.driverOptions, { mode: 'x' });
  t.throws(() => ask({ mode: 'x' }, ['colorMode']), invalid('driverOptions.mode', /colorMode/));
  t.same(ask({ 'tl-x': 5 }, ['colorMode']).order.driverOptions, { 'tl-x': 5 });
  for (const parameter of ['area', 'pageSize'])
    t.throws(() => ask({ 'tl-x': 5 }, [parameter]), invalid('driverOptions.tl-x', new RegExp(parameter)));
  t.throws(() => ask({ source: 'ADF' }), invalid('driverOptions.source', /source or duplexMode/), 'also if not given');
});
