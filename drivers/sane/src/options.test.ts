/** The backend's own options, over SANE's test backend and the simulation. */
import type { DriverOptionValues } from '@platen/core/driver';
import type { ScanOrder } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { lacking, never, scanned, simulated, testBackend, type Body } from './rig.test.kit.js';

const skip = lacking();

async function opened(t: Test, making: Promise<Body>) {
  const { driver, deviceId, dispose } = await making;
  t.teardown(dispose);
  const session = await driver.open(deviceId, { signal: never() });
  const { flatbed } = await session.capabilities({ signal: never() });
  const listed = new Map((flatbed?.driverOptions ?? []).map(each => [each.name, each]));
  const scan = (driverOptions: DriverOptionValues, more: Partial<ScanOrder> = {}) =>
    scanned(session, { source: 'flatbed', ...more, driverOptions });
  return { session, flatbed, listed, scan };
}
const withTestOptions = () => testBackend({}, ['enable-test-options true', 'mode Gray']);

t.test('options: listed as the backend describes them', { skip }, async t => {
  const { listed } = await opened(t, withTestOptions());
  t.match(listed.get('mode'), { type: 'string', values: ['Gray', 'Color'], default: 'Gray', controls: ['colorMode'] });
  t.match(listed.get('test-picture'), { title: /./, description: /picture/, type: 'string', default: 'Solid black' });
  t.match(listed.get('hand-scanner'), { type: 'boolean', default: false });
  t.match(listed.get('int-constraint-range'), { type: 'integer', unit: 'pixel', minimum: 4, maximum: 192, step: 2 });
  t.match(listed.get('int-constraint-word-list'), { type: 'integer', unit: 'bit', values: [-42, -8, 0, 17] });
  t.match(listed.get('fixed-constraint-range'), { type: 'number', unit: 'microsecond', step: 2 });
  t.strictSame(listed.get('string')?.values, undefined);
  t.match(listed.get('three-pass'), { type: 'boolean' }, 'active in colour only');
  t.match(listed.get('br-x'), { controls: ['pageSize', 'area'], unit: 'mm' });
});

t.test('options: no button, group or array, none that cannot be set and read, and no source', { skip }, async t => {
  const { listed } = await opened(t, withTestOptions());
  for (const name of ['', 'button', 'gamma-table', 'int-constraint-array', 'bool-soft-detect', 'source'])
    t.notOk(listed.has(name), name);
});

t.test('options: what a parameter sets is reserved, with the parameters', { skip }, async t => {
  const { flatbed, scan } = await opened(t, simulated('flatbed feeder duplex-source'));
  t.strictSame(
    flatbed?.reservedOptions?.find(each => each.name === 'source'),
    { name: 'source', controls: ['source', 'duplexMode'] },
  );
  t.match(await scan({ source: 'Flatbed' }), { code: 'unsupported', message: /source/, pages: [] });
  const names = new Set(flatbed?.driverOptions?.map(each => each.name));
  t.notOk(
    flatbed?.reservedOptions?.some(each => names.has(each.name)),
    'none is listed too',
  );
  const sides = await opened(t, simulated('flatbed feeder duplex-option'));
  t.match(
    sides.flatbed?.reservedOptions?.filter(each => each.name !== 'source'),
    [{ controls: ['duplexMode'] }],
  );
});

t.test('options: a value has an effect for its scan only', { skip }, async t => {
  const { scan } = await opened(t, testBackend());
  const first = async (options: DriverOptionValues) => (await scan(options)).pages[0]?.data[0];
  t.strictSame([await first({}), await first({ 'test-picture': 'Solid white' }), await first({})], [0, 255, 0]);
});

t.test('options: one that others depend on, set before them and restored after them', { skip }, async t => {
  const { scan } = await opened(t, withTestOptions());
  const off = await scan({ 'enable-test-options': false, int: 7 });
  t.match(off, { code: 'unsupported', message: /int/, pages: [] });
  t.match(await scan({ int: 7 }), { code: undefined, pages: [{}] }, 'enabled again');
});

t.test('options: inactive in this mode, accepted at its default only', { skip }, async t => {
  const { scan } = await opened(t, testBackend());
  t.match(await scan({ 'three-pass': true }), { code: 'unsupported', message: /three-pass/, pages: [] });
  t.match(await scan({ 'three-pass': false }), { code: undefined });
  t.match(await scan({ 'three-pass': true }, { colorMode: 'Color' }), {
    code: undefined,
    pages: [{ pixels: 'rgb24' }],
  });
});

t.test('options: one of a parameter that was left out wins over its default', { skip }, async t => {
  const { scan } = await opened(t, testBackend({}, ['geometry_quant 0']));
  const { pages } = await scan({ mode: 'Color', resolution: 100, 'br-x': 25.5 });
  t.match(pages, [{ pixels: 'rgb24', dpi: 100, width: 100 }]);
  t.match(await scan({ mode: 'Color', depth: 1 }), { code: 'unsupported', pages: [] }, 'no such page in Platen');
});

t.test('area: steps of a millimetre, left to software', { skip }, async t => {
  const coarse = await opened(t, testBackend({}, ['geometry_quant 1']));
  t.strictSame([coarse.flatbed?.controls, coarse.flatbed?.area], [[], { width: 300, height: 300 }]);
  const fine = await opened(t, testBackend({}, ['geometry_quant 0.05']));
  t.strictSame([fine.flatbed?.controls, fine.flatbed?.area], [['area'], { width: 300, height: 300 }]);
});

t.test('area: lines that the backend shortens to whole bytes, asked for longer and cut', { skip }, async t => {
  const { scan } = await opened(t, simulated('flatbed steps8'));
  const area = { x: 10, y: 10, width: 50, height: 20 };
  const { pages } = await scan({}, { area, resolution: 300 });
  t.match(pages, [{ width: 591, height: 236, adjusted: ['area'] }]);
});

t.test('area: smaller than a pixel, one pixel', { skip }, async t => {
  const area = { x: 20, y: 20, width: 0.1, height: 0.1 };
  for (const making of [simulated('flatbed'), testBackend({}, ['geometry_quant 0'])]) {
    const { scan } = await opened(t, making);
    t.match(await scan({}, { area, resolution: 75 }), { message: '', pages: [{ width: 1, height: 1 }] });
  }
});

t.test('area: a sheet that ends before it, white below', { skip }, async t => {
  const body = await simulated('feeder ends');
  t.teardown(body.dispose);
  await body.load(2, 'size 210 60 front 10 10 10 back 10 10 10');
  const session = await body.driver.open(body.deviceId, { signal: never() });
  const area = { x: 100, y: 40, width: 30, height: 50 };
  for (const [colorMode, inside, below] of [
    ['Grayscale', 10, 255],
    ['BlackAndWhite', 0xff, 0],
  ] as const) {
    const order = { source: 'feeder', sheets: 1, colorMode, resolution: 150, area } as const;
    const { pages, message } = await scanned(session, order);
    t.equal(message, '');
    t.match(pages, [{ width: 177, height: 295, adjusted: ['area'] }]);
    const { data, stride } = pages[0]!;
    t.strictSame([data[110 * stride], data[125 * stride], data[294 * stride]], [inside, below, below], colorMode);
  }
});

t.test('levels: of one scan only, also where the option exists in one mode only', { skip }, async t => {
  const { scan } = await opened(t, simulated('flatbed document levels'));
  const black = async (order: Partial<ScanOrder>) => {
    const { pages, message } = await scan({}, { colorMode: 'BlackAndWhite', ...order });
    t.equal(message, '');
    return pages[0]!.data.reduce((sum, each) => sum + each.toString(2).replaceAll('0', '').length, 0);
  };
  const usual = await black({});
  t.ok((await black({ threshold: 20 })) < usual);
  await scan({}, { colorMode: 'Color' });
  t.equal(await black({}), usual);
});
