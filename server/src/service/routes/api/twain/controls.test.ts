/** Controls of a scan over HTTP: alike in every call that scans, and refused before paper moves. */
import { fakeDriver } from '@platen/conformance';
import type { DriverOption, ReservedOption } from '@platen/core';
import t from 'tap';
import { testService } from '../../../service.test.kit.js';

const driverOptions: DriverOption[] = [
  { name: 'lamp', type: 'string', values: ['warm', 'cold'], default: 'warm' },
  { name: 'depth', type: 'integer', controls: ['colorMode'] },
];
const reservedOptions: ReservedOption[] = [{ name: 'tray', controls: ['source', 'duplexMode'] }];
const area = { x: 40, y: 50, width: 20, height: 10 };
const asked = { source: 'FEEDER', sheets: 1, area, brightness: -20, driverOptions: { lamp: 'cold' }, resolution: 300 };
const ordered = { source: 'feeder', sheets: 1, area, brightness: -20, driverOptions: { lamp: 'cold' } };

function fake() {
  return fakeDriver({
    devices: [{ name: 'A' }],
    sheets: 9,
    controls: ['area', 'brightness'],
    driverOptions,
    reservedOptions,
  });
}

t.test('scan, twain, scans: the same parameters become the same order, and one sheet is fed', async t => {
  const driver = fake();
  const { app } = await testService(t, driver);
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  const scanned = await post('/api/twain/scan', { scannerName: 'A', parameters: { ...asked, report: true } });
  t.match(scanned.json(), { success: true, imageCount: 1, images: [{ width: 236, height: 118 }] });
  t.match(scanned.json().images[0].report, [
    { parameter: 'source', requested: 'Feeder', result: 'applied' },
    { parameter: 'sheets', requested: 1, result: 'emulated' },
    { parameter: 'resolution' },
    { parameter: 'area', requested: '40,50,20x10', result: 'applied' },
    { parameter: 'brightness', requested: -20, result: 'applied' },
    { parameter: 'driverOptions.lamp', requested: 'cold', result: 'applied' },
  ]);
  const envelope = (method: string, params: object) =>
    post('/api/twain', { kind: 'twainlocalscanner', method, params });
  await envelope('openSource', { sourceName: 'A' });
  t.match((await envelope('scan', asked)).json(), { results: { success: true }, data: { imageCount: 1 } });
  t.match(await post('/api/scans', { scannerName: 'A', parameters: asked }), { statusCode: 201 });
  await driver.whenFed(3);
  t.equal(driver.orders.length, 3);
  for (const order of driver.orders) t.match(order, ordered);
  t.equal(driver.remaining(), 6);
});

t.test('autoscan/enable: takes them, but no flatbed', async t => {
  const driver = fake();
  const { app } = await testService(t, driver);
  const enable = (parameters: object) =>
    app.inject({ method: 'POST', url: '/api/twain/autoscan/enable', payload: { scannerName: 'A', parameters } });
  t.match(await enable({ source: 'Flatbed' }), { statusCode: 400 });
  t.match((await enable({ area: { ...area, x: 300 } })).json(), { error: /^area takes x \+ width of at most 216 mm/ });
  t.match(await enable(asked), { statusCode: 200 });
  await driver.whenFed(1);
  t.match(driver.orders[0], ordered);
});

t.test(
  'POST /api/scans: a value that is not taken, 400 with the field and what it takes, and no paper moves',
  async t => {
    const driver = fake();
    const { app } = await testService(t, driver);
    const refused: readonly [parameters: object, field: string, takes: RegExp][] = [
      [{ source: 'Tray' }, 'source', /one of Feeder, Flatbed, Auto/],
      [{ sheets: 0 }, 'sheets', /an integer from 1 to 10000/],
      [{ sheets: 10_001 }, 'sheets', /an integer from 1 to 10000/],
      [{ brightness: 101 }, 'brightness', /an integer from -100 to 100/],
      [{ contrast: 0.5 }, 'contrast', /an integer from -100 to 100/],
      [{ threshold: 256 }, 'threshold', /an integer from 0 to 255/],
      [{ area: '1,2,3x4' }, 'area', /object/],
      [{ area: { ...area, x: -1 } }, 'area.x', /at least 0/],
      [{ area: { x: 1, y: 1, width: 1 } }, 'area.height', /number/],
      [{ area: { ...area, width: 0 } }, 'area.width', /greater than 0/],
      [{ area: { ...area, width: 4 } }, 'area.width', /5 to 216 mm/],
      [{ area: { ...area, y: 350 } }, 'area', /y \+ height of at most 356 mm/],
      [{ driverOptions: { beep: true } }, 'driverOptions.beep', /lamp, depth/],
      [{ driverOptions: { lamp: 'hot' } }, 'driverOptions.lamp', /one of warm, cold/],
      [{ driverOptions: { lamp: null } }, 'driverOptions.lamp', /./],
      [{ driverOptions: [] }, 'driverOptions', /object/],
      [{ driverOptions: { toString: 'x' } }, 'driverOptions.toString', /lamp, depth/],
      [{ driverOptions: { depth: 8 }, colorMode: 'Color' }, 'driverOptions.depth', /colorMode/],
      [{ driverOptions: { tray: 'A' } }, 'driverOptions.tray', /source or duplexMode/],
    ];
    for (const [parameters, field, takes] of refused) {
      const payload = { scannerName: 'A', parameters };
      const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/api/scans', payload });
      t.equal(statusCode, 400, body);
      t.match(JSON.parse(String(headers['platen-error'])), { code: 'invalid-value', field });
      t.match(JSON.parse(body).error, takes);
    }
    const raw = (parameters: string) =>
      app.inject({
        method: 'POST',
        url: '/api/scans',
        headers: { 'content-type': 'application/json' },
        payload: `{"scannerName":"A","parameters":${parameters}}`,
      });
    for (const parameters of [
      '{"area":{"x":1e999,"y":0,"width":10,"height":10}}',
      '{"area":{"x":0,"y":0,"width":1e999,"height":10}}',
      '{"area":{"x":1e308,"y":0,"width":1e308,"height":10}}',
      '{"brightness":1e999}',
      '{"driverOptions":{"depth":1e999}}',
    ])
      t.equal((await raw(parameters)).statusCode, 400, parameters);
    t.equal(driver.fed, 0);
    const payload = { scannerName: 'A', parameters: { driverOptions: { depth: 8 } } };
    t.match(await app.inject({ method: 'POST', url: '/api/twain/scan', payload }), { statusCode: 200 });
  },
);

t.test('capabilities: with details=true, what each source can do and who does it; else as before', async t => {
  const { app } = await testService(t, fake());
  const plain = await app.inject('/api/twain/scanners/A/capabilities');
  t.notOk('details' in plain.json().capabilities);
  const { capabilities } = (await app.inject('/api/twain/scanners/A/capabilities?details=true')).json();
  t.same(capabilities.details.sources.feeder, {
    area: { width: 216, height: 356, minWidth: 5, minHeight: 5 },
    controls: { area: 'scanner', brightness: 'scanner', sheets: 'software' },
    driverOptions,
  });
  t.same(Object.keys(capabilities.details.sources), ['feeder', 'flatbed']);
  t.match(await app.inject('/api/twain/scanners/A/capabilities?details=maybe'), { statusCode: 400 });
});

t.test('profiles: listed; named in every call that scans, and its own values go before', async t => {
  const driver = fake();
  const invoices = { ...asked, source: 'Feeder', brightness: 7 };
  const { app } = await testService(t, driver, { config: { profiles: { invoices } } });
  t.same((await app.inject('/api/profiles')).json(), { success: true, profiles: { invoices } });
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  const parameters = { profile: 'invoices', brightness: -20 };
  t.match(await post('/api/twain/scan', { scannerName: 'A', parameters }), { statusCode: 200 });
  const direct = (method: string, params: object) => post('/api/twain', { kind: 'twainlocalscanner', method, params });
  await direct('openSource', { sourceName: 'A' });
  t.match((await direct('scan', parameters)).json(), { results: { success: true } });
  t.match(await post('/api/scans', { scannerName: 'A', parameters }), { statusCode: 201 });
  await driver.whenFed(3);
  for (const order of driver.orders) t.match(order, ordered);
  const unknown = await post('/api/twain/scan', { scannerName: 'A', parameters: { profile: 'x' } });
  t.match(JSON.parse(String(unknown.headers['platen-error'])), { field: 'profile', allowed: ['invoices'] });
});
