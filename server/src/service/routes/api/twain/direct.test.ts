/** `POST /api/twain`: each method, each code, and bodies that are not commands. */
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import { systemClock, type Clock, type DriverCode } from '@platen/core';
import t from 'tap';
import type { Test } from 'tap';
import { testService, type ServiceOptions } from '../../../service.test.kit.js';

const options: FakeDriverOptions = {
  devices: [
    { name: 'Desk', flatbed: false },
    { name: 'Hall', duplex: false },
  ],
  page: { width: 8, height: 4 },
};

interface Answer {
  readonly kind: string;
  readonly commandId: string;
  readonly method: string;
  readonly results: { success: boolean; code: string; jsonKey?: string; characterOffset?: number };
  readonly data: Record<string, unknown>;
}

async function start(t: Test, more: FakeDriverOptions = {}, service: ServiceOptions = {}) {
  const driver = fakeDriver({ ...options, ...more });
  const { app, scans, lines } = await testService(t, driver, service);
  const post = async (
    payload: string | object | undefined,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await app.inject({
      method: 'POST',
      url: '/api/twain',
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
      headers,
    });
    return { status: statusCode, headers: answered, json: JSON.parse(body) as Answer };
  };
  const call = async (method: string, params?: unknown, fields: object = {}) =>
    (await post({ kind: 'twainlocalscanner', method, params, ...fields })).json;
  return { app, driver, scans, lines, post, call };
}

t.test('direct: getSources lists the scanners, with params null or absent', async t => {
  const { post } = await start(t);
  for (const params of [undefined, null, {}, { whatever: 1 }]) {
    const { status, json } = await post({ kind: 'twainlocalscanner', method: 'getSources', params });
    t.equal(status, 200);
    t.match(json, { kind: 'twainlocalscanner', method: 'getSources', results: { success: true, code: 'success' } });
    t.same(json.data['availableSources'], [
      {
        name: 'Desk',
        manufacturer: 'Platen',
        model: 'Fake',
        isOnline: true,
        hasFeeder: true,
        hasFlatbed: false,
        supportsDuplex: true,
      },
      {
        name: 'Hall',
        manufacturer: 'Platen',
        model: 'Fake',
        isOnline: true,
        hasFeeder: true,
        hasFlatbed: true,
        supportsDuplex: false,
      },
    ]);
    t.same(Object.keys(json), ['kind', 'commandId', 'method', 'results', 'data']);
  }
});

t.test('direct: openSource, getStatus, getCapabilities, closeSource', async t => {
  const { app, call } = await start(t, { sheets: 1 });
  t.match(await call('getStatus'), {
    results: { success: true },
    data: { scannerStatus: { isOnline: true, isPaperLoaded: false, isSourceOpen: false, ocrEnabled: false } },
  });
  t.match(await call('getCapabilities'), {
    results: { success: false, code: 'invalidState' },
    data: { message: /No scanner is open/ },
  });
  t.match(await call('closeSource'), { results: { success: true }, data: { message: 'No scanner was open.' } });
  t.match(await call('openSource', { sourceName: 'Desk' }), {
    results: { code: 'success' },
    data: { message: 'Desk is open.', scanner: { name: 'Desk', hasFlatbed: false } },
  });
  t.match(await call('getStatus'), { data: { scannerStatus: { isPaperLoaded: true, isSourceOpen: true } } });
  t.match(await call('getCapabilities', null), {
    data: { capabilities: { supportsDuplex: true, resolutions: [75, 100, 150, 200, 300, 600] } },
  });
  t.match(await call('getCapabilities', { sourceName: 'Hall' }), { data: { capabilities: { supportsDuplex: false } } });
  for (const [name, sourceName] of [['Desk'], ['Hall', 'Hall']] as const) {
    const { capabilities } = (await call('getCapabilities', { details: true, sourceName })).data;
    t.match(capabilities, { details: { sources: { feeder: {} }, formats: [{}] } });
    const other = await app.inject(`/api/twain/scanners/${name}/capabilities?details=true`);
    t.same(capabilities, other.json().capabilities, `${name}: as the other call has them`);
  }
  const { capabilities: plain } = (await call('getCapabilities', { details: false })).data;
  t.notOk('details' in (plain as object));
  t.match(await call('openSource', { sourceName: 'Hall' }), { data: { scanner: { name: 'Hall' } } });
  t.match(await call('closeSource'), { data: { message: 'The scanner is closed.' } });
});

t.test('direct scan: the fields of a Scan result, in the requested format, from the open scanner', async t => {
  const { call, driver, post } = await start(t);
  t.match(await call('scan', { outputFormat: 'png' }), { results: { success: false, code: 'invalidState' } });
  t.equal(driver.scans, 0);
  await call('openSource', { sourceName: 'Desk' });
  driver.load(1);
  const { headers, json } = await post({
    kind: 'twainlocalscanner',
    method: 'scan',
    commandId: 'c-1',
    params: { outputFormat: 'JPG', resolution: 75, duplexMode: 'duplexlongedge' },
  });
  t.match(json, {
    commandId: 'c-1',
    method: 'scan',
    results: { success: true, code: 'success' },
    data: { success: true, status: 'Success', message: 'Scanned 2 pages.', imageCount: 2 },
  });
  t.match(json.data['images'], [
    { mimeType: 'image/jpeg', format: 'Jpeg', pageNumber: 1, resolution: 75 },
    { pageNumber: 2 },
  ]);
  t.type(json.data['elapsedMs'], 'number');
  t.match(headers, { 'content-type': /^application\/json/, 'cache-control': 'no-store', 'x-request-id': 'c-1' });
});

t.test("direct: commandId is echoed, else new each time; method has the interface's spelling", async t => {
  const { call } = await start(t);
  t.equal((await call('getStatus', null, { commandId: 'my-1' })).commandId, 'my-1');
  const [one, two] = [await call('getStatus'), await call('getStatus')];
  t.match(one.commandId, /^[0-9a-f-]{36}$/);
  t.not(one.commandId, two.commandId);
  t.match(await call('GETSTATUS', null, { kind: 'TwainLocalScanner' }), {
    method: 'getStatus',
    results: { success: true },
  });
  t.match(await call('getStatus', null, { commandId: 'a b' }), {
    commandId: /^[0-9a-f-]{36}$/,
    results: { success: true },
  });
});

t.test("direct scan: a device's failure has its code and the pages before it", async t => {
  const codes: Partial<Record<DriverCode, string>> = {
    'paper-jam': 'paperJam',
    'double-feed': 'doubleFeed',
    'cover-open': 'coverOpen',
    timeout: 'timeout',
    cancelled: 'aborted',
    busy: 'busy',
    'driver-failed': 'critical',
    'device-offline': 'critical',
    unsupported: 'critical',
  };
  for (const [fault, code] of Object.entries(codes) as [DriverCode, string][]) {
    const { call, driver, post } = await start(t, { sheets: 2, faults: { 2: fault } });
    await call('openSource', { sourceName: 'Desk' });
    const { status, json } = await post({ kind: 'twainlocalscanner', method: 'scan' });
    t.equal(status, 200, fault);
    t.match(
      json,
      { results: { success: false, code }, data: { success: false, imageCount: 1, message: /./, error: /./ } },
      fault,
    );
    t.equal((json.data['images'] as unknown[]).length, 1);
    t.equal(driver.fed, 2);
  }
  const { call } = await start(t);
  await call('openSource', { sourceName: 'Desk' });
  t.match(await call('scan'), { results: { code: 'noMedia' }, data: { status: 'NoPaper', images: [] } });
});

t.test('direct scan: an invalid value, results and data name the field, and nothing is fed', async t => {
  const { call, driver } = await start(t, { sheets: 1 });
  await call('openSource', { sourceName: 'Desk' });
  const cases: [string, unknown, string][] = [
    ['scan', { jpegQuality: 0 }, 'jpegQuality'],
    ['scan', { jpegQuality: '90' }, 'jpegQuality'],
    ['scan', { resolution: 99 }, 'resolution'],
    ['scan', { colorMode: 'Pink' }, 'colorMode'],
    ['scan', { outputFormat: 'gif' }, 'outputFormat'],
    ['scan', { barcodeFormats: ['QrCode', 'x'] }, 'barcodeFormats[1]'],
    ['scan', { pageSize: 'A3' }, 'pageSize'],
    ['openSource', {}, 'sourceName'],
    ['openSource', undefined, 'sourceName'],
    ['openSource', { sourceName: '' }, 'sourceName'],
    ['openSource', { sourceName: 5 }, 'sourceName'],
    ['openSource', { sourceName: 'Loft' }, 'sourceName'],
    ['getCapabilities', { sourceName: 'Loft' }, 'sourceName'],
    ['openSource', { sourceName: null }, 'sourceName'],
    ['getSources', [], 'params'],
    ['getSources', 'x', 'params'],
    ['scan', 5, 'params'],
    ['scan', true, 'params'],
    ['fly', {}, 'method'],
    ['constructor', {}, 'method'],
    ['__proto__', {}, 'method'],
    ['', {}, 'method'],
  ];
  for (const [method, params, jsonKey] of cases) {
    const { results, data } = await call(method, params);
    t.same(results, { success: false, code: 'invalidValue', jsonKey }, `${method} ${JSON.stringify(params)}`);
    t.match(data, {
      jsonKey,
      message:
        jsonKey === 'sourceName'
          ? /sourceName|no scanner named/
          : new RegExp(`^${jsonKey.replace(/[[\]]/g, '\\$&')} takes `),
    });
  }
  t.equal(driver.fed, 0);
});

t.test('direct scan: a format that is not loaded is an invalid outputFormat', async t => {
  const { call } = await start(t, { sheets: 1 }, { formats: ['Png'] });
  await call('openSource', { sourceName: 'Desk' });
  t.match(await call('scan', { outputFormat: 'tif' }), {
    results: { code: 'invalidValue', jsonKey: 'outputFormat' },
    data: { message: 'outputFormat takes one of png: tif is not installed' },
  });
});

t.test('direct: a body that is not a command, kind or method is missing', async t => {
  const { post } = await start(t);
  for (const [body, jsonKey] of [
    [undefined, 'kind'],
    ['', 'kind'],
    ['null', 'kind'],
    ['[]', 'kind'],
    ['5', 'kind'],
    ['"scan"', 'kind'],
    ['{}', 'kind'],
    ['{"kind":"other","method":"scan"}', 'kind'],
    ['{"kind":5,"method":"scan"}', 'kind'],
    ['{"kind":"twainlocalscanner"}', 'method'],
    ['{"kind":"twainlocalscanner","method":["scan"]}', 'method'],
  ] as const) {
    const { status, json } = await post(body);
    t.equal(status, 200, String(body));
    t.match(json, {
      kind: 'twainlocalscanner',
      commandId: /./,
      results: { success: false, code: 'invalidValue', jsonKey },
      data: { jsonKey },
    });
  }
});

t.test('direct: invalid JSON, results and data have the position', async t => {
  const { post } = await start(t);
  for (const [text, characterOffset] of [
    ['{"kind": tru}', 9],
    ['{', 1],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['\ufeff{x', 2],
    ['{"a":"\n"}', 6],
    ['nul', 0],
  ] as const) {
    const { status, json } = await post(text);
    t.equal(status, 200, JSON.stringify(text));
    t.same(json.results, { success: false, code: 'invalidJson', characterOffset });
    t.match(json, { method: '', data: { characterOffset, message: /not valid JSON/ } });
  }
});

t.test("direct: busy during a scan; a scan on auto-scan's scanner is busy", async t => {
  const { call, driver, scans } = await start(t, { sheets: 1 });
  await call('openSource', { sourceName: 'Desk' });
  driver.hold();
  const scanning = call('scan');
  await driver.whenFed(1);
  for (const [method, params] of [
    ['scan', null],
    ['openSource', { sourceName: 'Hall' }],
    ['closeSource', null],
  ] as const) {
    t.match(
      await call(method, params),
      { results: { success: false, code: 'busy' }, data: { message: /is scanning/ } },
      method,
    );
  }
  t.match(await call('getSources'), { results: { success: true } });
  driver.release();
  t.match(await scanning, { results: { success: true } });
  await scans.enableAutoscan({
    duplexMode: 'Simplex',
    pageSize: 'A4',
    autoRotate: false,
    autoDeskew: false,
    autoCrop: false,
    format: 'Png',
    quality: 90,
    ocr: false,
    timeoutSeconds: 0,
    report: false,
  });
  t.match(await call('scan'), { results: { code: 'busy' }, data: { message: /Auto-scan is enabled on Desk/ } });
  t.match(await call('closeSource'), { results: { success: true } });
});

t.test('direct scan: cancelled by its commandId, aborted', async t => {
  const { app, call, driver } = await start(t, { sheets: 2 });
  await call('openSource', { sourceName: 'Desk' });
  driver.hold();
  const scanning = call('scan', null, { commandId: 'c-9' });
  await driver.whenFed(1);
  const cancel = (requestId: string) =>
    app.inject({ method: 'POST', url: '/api/twain/cancel', payload: { requestId } });
  t.match((await cancel('c-8')).json(), { message: /another scan goes on/ });
  t.match((await cancel('c-9')).json(), { message: /being cancelled/ });
  driver.release();
  t.match(await scanning, {
    results: { success: false, code: 'aborted' },
    data: { status: 'Cancelled', imageCount: 1 },
  });
});

t.test('direct: the desktop application is disconnected, 503 and critical in the envelope', async t => {
  const { post, driver } = await start(t, { link: { connected: false } });
  for (const method of ['getSources', 'openSource', 'getStatus', 'scan']) {
    const { status, json } = await post({ kind: 'twainlocalscanner', method, commandId: 'c-1' });
    t.equal(status, 503, method);
    t.match(json, {
      kind: 'twainlocalscanner',
      commandId: 'c-1',
      method,
      results: { success: false, code: 'critical' },
      data: { message: /not connected/ },
    });
  }
  driver.connect();
  t.equal((await post({ kind: 'twainlocalscanner', method: 'getSources' })).status, 200);
});

t.test('direct: a request rejected before it was read gets the plain error body', async t => {
  const { post } = await start(t);
  t.match(await post('x=1', { 'content-type': 'application/x-www-form-urlencoded' }), {
    status: 415,
    json: { success: false, error: /Content-Type: application\/json/ },
  });
  t.match(await post(`{"kind":"${'x'.repeat(70_000)}"}`), { status: 413, json: { success: false, error: /64 KiB/ } });
  t.match(await post('{}', { 'content-type': 'application/json', host: 'evil.example' }), {
    status: 421,
    json: { success: false },
  });
});

t.test('direct: an internal error is critical and does not quote its cause', async t => {
  const { call, scans } = await start(t);
  scans.list = async () => {
    throw new Error('ENOENT: /home/somebody');
  };
  t.match(await call('getSources'), {
    results: { success: false, code: 'critical' },
    data: { message: "The service failed to handle the request. See the service's log." },
  });
});

t.test("direct: elapsedMs is independent of the computer's clock", async t => {
  let now = Date.now();
  const clock: Clock = { ...systemClock, now: () => (now -= 3_600_000) };
  const { scans, call } = await start(t, { sheets: 1 }, { clock });
  await scans.open('Desk');
  const { data } = await call('scan', {});
  t.ok(Number(data['elapsedMs']) >= 0, String(data['elapsedMs']));
});
