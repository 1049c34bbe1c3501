/** Controls and options of a source: their scales, the exact area, and that they last for one scan. */
import { pixelsAt, type ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { PT } from './protocol/constants.js';
import { firstWrongRow } from './picture.test.kit.js';
import { body, never, open, scanned } from './rig.test.kit.js';

const order = { source: 'feeder', colorMode: 'Grayscale', resolution: 100, sheets: 1 } as const;
const area = { x: 25.4, y: 50.8, width: 40, height: 30 };

type Quirks = Readonly<Record<string, string | number>>;
type Tap = Pick<typeof t, 'teardown'>;

async function opened(t: Tap, quirks: Quirks) {
  const it = await body({ sheets: 9, ...quirks });
  t.teardown(it.dispose);
  const session = await open(it);
  const { feeder } = await session.capabilities({ signal: never() });
  return { it, feeder, scan: (wish: Partial<ScanOrder> = {}) => scanned(session, { ...order, ...wish }) };
}

t.test('options: those that the source describes and lets be set, in its words', async t => {
  const { feeder } = await opened(t, { extras: 1 });
  t.strictSame(feeder?.driverOptions, [
    { name: 'ICAP_AUTOBRIGHT', type: 'boolean', controls: ['brightness'], default: true },
    { name: 'ICAP_BITDEPTHREDUCTION', type: 'integer', controls: ['threshold'], values: [1, 0], default: 1 },
    { name: 'ICAP_GAMMA', type: 'number', minimum: 0.5, maximum: 3, step: 0.1, default: 1.8 },
    { name: 'ICAP_NOISEFILTER', type: 'integer', values: [0, 1, 2, 3], default: 0 },
    {
      name: '0x8001',
      type: 'integer',
      minimum: 0,
      maximum: 100,
      step: 5,
      title: 'Ink',
      description: 'Is added to every level.',
      default: 0,
    },
    { name: '0x8002', type: 'boolean', title: 'Paper saver', default: false },
    { name: '0x8003', type: 'string', values: ['none', 'stamp'], default: 'none' },
  ]);
  const plain = await opened(t, { unlisted: 1, extras: 1 });
  t.equal(plain.feeder?.driverOptions, undefined, 'a source that lists nothing is asked for nothing');
});

t.test('options: one that holds several values is not listed, and unsupported', async t => {
  const { it, feeder, scan } = await opened(t, { extras: 1 });
  const names = feeder?.driverOptions?.map(each => each.name);
  t.ok(names?.includes('0x8002'), 'a single value is listed, with its label');
  t.notOk(names?.includes('0x8005'), 'an array is not');
  t.match(await scan({ driverOptions: { '0x8005': 1 } }), { code: 'unsupported', message: /0x8005/, pages: [] });
  t.equal(await it.remaining(), 9);
});

t.test('options: what a parameter sets is reserved, by name and number', async t => {
  const { it, feeder, scan } = await opened(t, { extras: 1 });
  const reserved = new Map(feeder?.reservedOptions?.map(each => [each.name, each.controls]));
  for (const [name, number, controls] of [
    ['ICAP_XRESOLUTION', '0x1118', ['resolution']],
    ['ICAP_PIXELTYPE', '0x0101', ['colorMode']],
    ['CAP_FEEDERENABLED', '0x1002', ['source']],
    ['CAP_XFERCOUNT', '0x0001', ['sheets']],
  ] as const)
    t.strictSame([reserved.get(name), reserved.get(number)], [controls, controls], name);
  for (const { name } of feeder?.driverOptions ?? []) t.notOk(reserved.has(name), name);
  t.match(await scan({ driverOptions: { ICAP_XRESOLUTION: 300 } }), { code: 'unsupported', message: /ICAP_XRES/ });
  t.equal(await it.remaining(), 9);
});

t.test('option: in effect for its scan, on the nearest step, and not for the next one', async t => {
  const { scan } = await opened(t, { extras: 1 });
  const set = await scan({ driverOptions: { '0x8001': 41, '0x8003': 'stamp', ICAP_GAMMA: 2.2 } });
  t.equal(set.message, '');
  t.equal(firstWrongRow(set.pages[0]!, { sheet: 1, side: 0, tone: { ink: 40 } }, PT.GRAY), -1);
  const next = await scan();
  t.equal(firstWrongRow(next.pages[0]!, { sheet: 2, side: 0 }, PT.GRAY), -1);
});

t.test('option: after a scan that failed, the default', async t => {
  const { it, scan } = await opened(t, { extras: 1, fault: 'jam', mechs: 'native' });
  t.match(await scan({ driverOptions: { '0x8001': 40 } }), { code: 'paper-jam' });
  await it.clearFaults();
  const next = await scan();
  t.equal(firstWrongRow(next.pages[0]!, { sheet: 2, side: 0 }, PT.GRAY), -1);
});

t.test('option: refused, or accepted without effect, unsupported with its name and nothing is fed', async t => {
  for (const quirk of [{ refuses: 0x8001 }, { keeps: 0x8001 }]) {
    const { it, scan } = await opened(t, { extras: 1, ...quirk });
    t.match(await scan({ driverOptions: { '0x8001': 40 } }), { code: 'unsupported', message: /0x8001/, pages: [] });
    t.equal(await it.remaining(), 9);
  }
});

t.test('levels: in the scale of the source, for one scan', async t => {
  const { scan, feeder } = await opened(t, { extras: 1 });
  t.strictSame(feeder?.controls, ['area', 'brightness', 'contrast', 'threshold', 'sheets']);
  const { pages } = await scan({ brightness: -33, contrast: 30 });
  t.strictSame(pages[0]?.adjusted, ['brightness', 'contrast']);
  const tone = { brightness: -330, contrast: 500 };
  t.equal(firstWrongRow(pages[0]!, { sheet: 1, side: 0, tone }, PT.GRAY), -1, 'the nearest value of a list');
  const bilevel = await scan({ colorMode: 'BlackAndWhite', threshold: 60 });
  t.strictSame(bilevel.pages[0]?.adjusted, ['threshold']);
  t.equal(firstWrongRow(bilevel.pages[0]!, { sheet: 2, side: 0, tone: { threshold: 60 } }, PT.BW), -1);
  const next = await scan({ colorMode: 'BlackAndWhite' });
  t.equal(firstWrongRow(next.pages[0]!, { sheet: 3, side: 0 }, PT.BW), -1);
});

t.test('level: refused, unsupported with its name', async t => {
  const { it, scan } = await opened(t, { extras: 1, refuses: 'BRIGHTNESS' });
  t.match(await scan({ brightness: 10 }), { code: 'unsupported', message: /brightness/ });
  t.equal(await it.remaining(), 9);
});

t.test('area: exact in inches and centimetres, also if the source takes a larger frame', async t => {
  for (const [name, quirks] of Object.entries<Quirks>({
    inches: { mechs: 'native' },
    centimetres: { units: 1, resolutions: '39.3701' },
    'larger, in strips': { coarse: 0.2, mechs: 'memory' },
    'larger, 1-bit': { coarse: 0.07, mechs: 'native' },
  })) {
    const { scan, feeder } = await opened(t, quirks);
    t.strictSame(feeder?.area, { width: 215.9, height: 355.6 }, name);
    const isBlack = name.includes('1-bit');
    const { pages, message } = await scan({ area, ...(isBlack && { colorMode: 'BlackAndWhite' }) });
    t.equal(message, '');
    const size = { width: pixelsAt(100, area.width), height: pixelsAt(100, area.height) };
    t.match(pages[0], { ...size, adjusted: ['area'] }, name);
    if (isBlack) continue;
    t.equal(firstWrongRow(pages[0]!, { sheet: 1, side: 0, left: 100, top: 200 }, PT.GRAY), -1, name);
    const next = await scan();
    t.not(next.pages[0]?.width, size.width, 'the next page has its own size');
    t.equal(next.pages[0]?.adjusted, undefined);
  }
});

t.test('area: a sheet that ends before it, white below, and in its place', async t => {
  const { scan } = await opened(t, { mechs: 'memory', ends: 50 });
  const { pages, message } = await scan({ area });
  t.equal(message, '');
  t.match(pages, [{ width: 157, height: 118, adjusted: ['area'] }]);
  const { data, stride } = pages[0]!;
  const isWhite = (row: number) => data.subarray(row * stride, row * stride + 157).every(each => each === 255);
  t.strictSame([isWhite(49), isWhite(50), isWhite(117)], [false, true, true]);
});

t.test('area: the smallest that the source takes, and none of a source that moves it', async t => {
  const { feeder } = await opened(t, { extras: 1 });
  t.match(feeder?.area, { minWidth: 10.16 });
  for (const quirks of [{ shifts: 1 }, { without: 'PHYSICALWIDTH' }]) {
    const { feeder: other } = await opened(t, quirks);
    t.equal(other?.area, undefined);
    t.strictSame(other?.controls, ['sheets']);
  }
  const later = await opened(t, {});
  later.it.set({ shifts: 1 });
  t.match(await later.scan({ area }), { code: 'unsupported', message: /area/ });
  t.equal(await later.it.remaining(), 9);
});
