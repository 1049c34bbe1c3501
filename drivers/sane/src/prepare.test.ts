/** prepare: the order of options, and the capabilities of real backends. */
import type { DriverOptionValues } from '@platen/core/driver';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { backends, deviceWith, type Backend } from './backends.test.kit.js';
import { readAbilities } from './capabilities.js';
import { readOptionSet } from './options/optionSet.js';
import { prepare } from './prepare.js';
import { orderOf } from './rig.test.kit.js';
import { waysOf } from './options/sources.js';

async function prepared(
  name: Backend,
  order: Parameters<typeof orderOf>[0] = {},
  settings: Parameters<typeof deviceWith>[1] = {},
) {
  const options = backends[name];
  const { handle, sets } = deviceWith(options, settings);
  const { source = 'feeder' } = order;
  const set = await readOptionSet(handle, nullLog);
  const way = waysOf(options, '')[source]!;
  const parts = { handle, options: set, way, driverOptions: undefined, order: orderOf({ ...order, source }) };
  const result = await prepare({ ...parts, name: 'Scanner' });
  return { ...result, sets };
}

t.test('prepare: the order is source, mode, depth, resolution, geometry', async t => {
  const { sets, sides, dpi } = await prepared('epson2', { source: 'flatbed', resolution: 300, colorMode: 'Color' });
  t.strictSame(sets, [
    'source=Flatbed',
    'adf-mode=Simplex',
    'preview=false',
    'mode=Color',
    'depth=8',
    'resolution=300',
    'tl-x=0',
    'tl-y=0',
    'br-x=105',
    'br-y=148',
  ]);
  t.strictSame(sides, ['front']);
  t.equal(dpi, 300);
});

t.test('prepare: a feeder, no feeding ahead, paper size before the corners, hardware adjustments on', async t => {
  const { sets, sides, adjusted } = await prepared('fujitsu', {
    duplexMode: 'DuplexLongEdge',
    adjustments: ['deskew'],
    pageSize: 'A4',
  });
  t.strictSame(sets, [
    'source=ADF Duplex',
    'buffermode=Off',
    'prepick=Off',
    'mode=Gray',
    'hwdeskewcrop=true',
    'resolution=75',
    'page-width=210',
    'page-height=297',
    'tl-x=0',
    'tl-y=0',
    'br-x=210',
    'br-y=279.364',
  ]);
  t.strictSame(sides, ['front', 'back']);
  t.strictSame(adjusted, ['deskew', 'crop'], 'the scanner does both or neither, and the page reports both');
});

t.test('prepare: an area, nothing that crops, the corners freed before they are set', async t => {
  const { sets, adjusted, cut } = await prepared(
    'fujitsu',
    { area: { x: 10, y: 20, width: 30, height: 40 }, adjustments: ['crop'] },
    { parameters: { pixelsPerLine: 89, lines: 118 } },
  );
  t.strictSame(
    sets.slice(sets.indexOf('hwdeskewcrop=false')),
    [
      'hwdeskewcrop=false',
      'resolution=75',
      'page-width=221.121',
      'page-height=876.695',
      ...['tl-x=0', 'tl-y=0', 'br-x=215.872', 'br-y=279.364'],
      ...['tl-x=10', 'tl-y=20', 'br-x=40', 'br-y=60'],
    ].flat(),
  );
  t.strictSame([adjusted, cut], [['area'], { width: 89, height: 118 }]);
  await t.rejects(prepared('fujitsu', { area: { x: 1, y: 1, width: 9, height: 9 } }, { refuses: ['br-y'] }), {
    code: 'unsupported',
    message: /br-y/,
  });
});

t.test('prepare: duplex as an option, set', async t => {
  const { sets, sides } = await prepared('epson2', { duplexMode: 'DuplexShortEdge' });
  t.strictSame(sets.slice(0, 2), ['source=Automatic Document Feeder', 'adf-mode=Duplex']);
  t.strictSame(sides, ['front', 'back']);
  t.strictSame(
    (await prepared('epson2', { duplexMode: 'DuplexLongEdge' }, { refuses: ['adf-mode'] })).sides,
    ['front'],
    'refused: only fronts',
  );
});

t.test('prepare: a preview, for its scan only', async t => {
  const marked = backends.epson2.map(each => (each.name === 'preview' ? { ...each, advanced: true } : each));
  const { handle, sets } = deviceWith(marked);
  const options = await readOptionSet(handle, nullLog);
  const { capabilities } = await readAbilities(handle, options, 'Scanner', '');
  const { driverOptions } = capabilities.flatbed ?? {};
  t.match(
    driverOptions?.filter(({ name }) => name === 'preview'),
    [{ type: 'boolean', advanced: true }],
  );
  const way = waysOf(backends.epson2, '').flatbed!;
  const prepareWith = async (values: DriverOptionValues): Promise<readonly string[]> => {
    sets.length = 0;
    const order = { ...orderOf({ source: 'flatbed' }), driverOptions: values };
    await prepare({ handle, options, way, driverOptions, order, name: 'Scanner' });
    return sets.filter(each => each.startsWith('preview='));
  };
  t.equal((await prepareWith({ preview: true })).at(-1), 'preview=true');
  t.equal((await prepareWith({})).at(-1), 'preview=false');
});

t.test('prepare: two resolution options, the same value', async t => {
  const { sets } = await prepared('umax', { resolution: 200 });
  t.ok(sets.indexOf('x-resolution=200') < sets.indexOf('y-resolution=200'));
});

t.test('prepare: the backend changes the resolution, the accepted value is returned', async t => {
  t.equal((await prepared('pixma', { source: 'flatbed', resolution: 200 })).dpi, 150);
});

t.test('prepare: a rejected source, an error, because paper would come from elsewhere', async t => {
  await t.rejects(prepared('pixma', {}, { refuses: ['source'] }), {
    code: 'unsupported',
    message: '"Scanner" does not accept its source "Automatic Document Feeder".',
  });
});

t.test('prepare: another rejected option, not an error', async t => {
  await t.resolves(prepared('pixma', {}, { refuses: ['mode', 'resolution', 'br-x'] }));
});

t.test('prepare: a page over maxPixels, rejected before paper moves', async t => {
  const parameters = { pixelsPerLine: 1000, lines: 1001 };
  await t.rejects(prepared('pixma', { maxPixels: 1_000_000 }, { parameters }), {
    code: 'unsupported',
    message: /1000 x 1001 = 1001000 pixels/,
  });
  await t.resolves(
    prepared('pixma', { maxPixels: 1_000_000 }, { parameters: { ...parameters, lines: -1 } }),
    'unknown height',
  );
});

async function abilities(name: Backend, type = '') {
  const { handle } = deviceWith(backends[name]);
  return (await readAbilities(handle, await readOptionSet(handle, nullLog), 'Scanner', type)).capabilities;
}

t.test('capabilities: read source by source', async t => {
  const { flatbed: { driverOptions, ...flatbed } = {}, feeder: { driverOptions: _, ...feeder } = {} } =
    await abilities('epsonds');
  t.ok(driverOptions?.some(each => each.name === 'mode'));
  t.notOk(
    driverOptions?.some(each => ['source', 'adf-skew'].includes(each.name)),
    'Platen sets these',
  );
  const reservedOptions = [
    { name: 'source', controls: ['source', 'duplexMode'] },
    { name: 'adf-skew', controls: ['autoDeskew'] },
    { name: 'adf-crp', controls: ['autoCrop'] },
  ];
  const common = { area: { width: 215.9, height: 297.18 }, reservedOptions };
  t.strictSame(
    { flatbed, feeder },
    {
      flatbed: {
        ...common,
        controls: ['area'],
        resolutions: [75, 100, 150, 200, 240, 300, 400, 600, 1200],
        colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
        duplex: false,
        pageSizes: ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
        adjustments: [],
      },
      feeder: {
        ...common,
        controls: ['area', 'sheets'],
        resolutions: [75, 100, 150, 200, 240, 300, 400, 600, 1200],
        colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
        duplex: true,
        pageSizes: ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'],
        adjustments: ['deskew', 'crop'],
      },
    },
  );
  t.match(await abilities('epson2'), { feeder: { duplex: true }, flatbed: { duplex: false } });
  t.match(await abilities('kvs20xx', 'sheetfed scanner'), { feeder: { duplex: true }, flatbed: undefined });
});

t.test('capabilities: no resolution, not a document scanner', async t => {
  const { handle } = deviceWith([]);
  await t.rejects(readAbilities(handle, await readOptionSet(handle, nullLog), 'Webcam', ''), { code: 'unsupported' });
});
