/** Driver: listing and opening; scanners in use, allowed names, abandoned calls. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nullLog, ScanError, type Device, type Driver } from '@platen/core/plugin';
import t from 'tap';
import plugin from './plugin.js';
import { helpers, lacking, never, scanned, simulated, testBackend } from './rig.test.kit.js';
import { isAllowed } from './settings.js';

const skip = lacking();

async function list(driver: Driver) {
  const devices = [];
  for await (const device of driver.devices({ signal: never() })) devices.push(device);
  return devices;
}

/** What a listing yields that leaves out a backend. */
async function listed(driver: Driver) {
  const devices: Device[] = [];
  const listing = async () => {
    for await (const device of driver.devices({ signal: never() })) devices.push(device);
  };
  return { error: await listing().catch((error: unknown) => error), devices };
}

t.test('listing: open or not, a scanner has its capabilities', { skip }, async t => {
  const body = await simulated('feeder flatbed duplex-option');
  t.teardown(body.dispose);
  const device = {
    id: 'platen:0',
    name: 'Platen Simulated',
    manufacturer: 'Platen',
    model: 'Simulated',
    online: true,
    feeder: true,
    flatbed: true,
    duplex: true,
    feeding: 'perSheet',
  };
  t.strictSame(await list(body.driver), [device]);
  const session = await body.driver.open('platen:0', { signal: never() });
  t.strictSame(session.device, device);
  t.strictSame(await list(body.driver), [device]);
  t.equal(helpers().length, 1, 'the helper of a listing ends with it');
});

t.test('listing: a scanner opened before, with the capabilities found at opening', { skip }, async t => {
  const body = await simulated('feeder duplex-source');
  t.teardown(body.dispose);
  const session = await body.driver.open('platen:0', { signal: never() });
  t.match(session.device, { id: 'platen:0', name: 'platen:0', feeder: true, flatbed: false, duplex: true });
  t.match(await list(body.driver), [{ id: 'platen:0', feeder: true, duplex: true }]);
});

t.test('capabilities: read again only if the scanner opens with other options', { skip }, async t => {
  const body = await simulated('flatbed');
  t.teardown(body.dispose);
  const capabilities = async () => {
    const session = await body.driver.open('platen:0', { signal: never() });
    const found = await session.capabilities({ signal: never() });
    await session.close();
    return found;
  };
  const first = await capabilities();
  t.equal(await capabilities(), first);
  await writeFile(join(body.body, 'is'), 'flatbed feeder');
  t.match(await capabilities(), { feeder: {}, flatbed: {} });
});

t.test('listing: a scanner that did not answer at opening, offline until it answers', { skip }, async t => {
  const body = await simulated('feeder duplex-source');
  t.teardown(body.dispose);
  t.match(await list(body.driver), [{ online: true }]);
  await body.fault(0, 'IO_ERROR');
  await t.rejects(body.driver.open('platen:0', { signal: never() }), { code: 'device-offline' });
  t.match(await list(body.driver), [{ online: false, feeder: true, duplex: true }]);
  await body.clearFaults();
  const session = await body.driver.open('platen:0', { signal: never() });
  t.match(session.device, { online: true });
  t.match(await list(body.driver), [{ online: true, duplex: true }]);
});

t.test('listing: a hanging backend, named once; known scanners stay listed and usable', { skip }, async t => {
  const body = await simulated('flatbed', { deadlines: { list: 3000 } });
  t.teardown(body.dispose);
  const known = await list(body.driver);
  t.match(known, [{ id: 'platen:0', online: true }]);

  let changes = 0;
  const end = body.driver.watch!(() => void changes++);
  t.teardown(end);
  await writeFile(join(body.config, 'silent'), '');
  await writeFile(join(body.usb, '002'), '');
  while (changes === 0) await pause(10);
  t.match(await listed(body.driver), { error: { code: 'driver-failed', message: /"platen"/ }, devices: known });
  t.match(await listed(body.driver), { error: { code: 'driver-failed' }, devices: known });
  t.equal(body.said.filter(line => /backend "platen"/.test(line)).length, 1, body.said.join('\n'));
  const session = await body.driver.open('platen:0', { signal: never() });
  t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 } });
  await session.close();

  await rm(join(body.config, 'silent'));
  await rm(body.body, { recursive: true });
  changes = 0;
  await writeFile(join(body.usb, '003'), '');
  while (changes === 0) await pause(10);
  t.strictSame(await list(body.driver), [], 'a complete listing without it: removed');
});

t.test("listing: the first one fails, throws; core keeps the last run's scanners", { skip }, async t => {
  const body = await simulated('flatbed', { deadlines: { list: 500 } });
  t.teardown(body.dispose);
  await writeFile(join(body.config, 'silent'), '');
  await t.rejects(list(body.driver), { code: 'driver-failed' });
  const session = await body.driver.open('platen:0', { signal: never() });
  t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 } });
});

t.test('options: devices, only those names are listed', { skip }, async t => {
  const body = await testBackend({ devices: ['fujitsu:*', 'epson2:net:*'] });
  t.teardown(body.dispose);
  t.strictSame(await list(body.driver), []);
  await t.rejects(body.driver.open('test:0', { signal: never() }), {
    code: 'device-not-found',
    message: /does not name/,
  });
});

t.test('options: devices, * matches anything; other characters match themselves', async t => {
  t.ok(isAllowed('fujitsu:fi-7160:1234', ['fujitsu:*']));
  t.ok(isAllowed('test:0', undefined));
  t.ok(isAllowed('test:0', ['*']));
  t.notOk(isAllowed('my-fujitsu:1', ['fujitsu:*']));
  t.notOk(isAllowed('testx0', ['test.0']), 'a dot matches only a dot');
});

t.test('open: abandoned, no helper remains and the scanner is free', { skip }, async t => {
  const body = await simulated('flatbed');
  t.teardown(body.dispose);
  const abandon = new AbortController();
  const opening = body.driver.open('platen:0', { signal: abandon.signal });
  const reason = new ScanError('timeout', 'the test gave up');
  abandon.abort(reason);
  t.equal(
    await opening.then(
      () => undefined,
      (error: unknown) => error,
    ),
    reason,
  );
  t.equal(helpers().length, 0);
  await t.resolves(body.driver.open('platen:0', { signal: never() }));
});

t.test('close: lists and opens nothing; no helper remains', { skip }, async t => {
  const body = await simulated('feeder');
  t.teardown(body.dispose);
  const session = await body.driver.open('platen:0', { signal: never() });
  const listing = list(body.driver);
  const opening = body.driver.open('platen:1', { signal: never() }).then(
    () => undefined,
    (error: { code: unknown }) => error.code,
  );
  await body.driver.close();
  await listing;
  t.equal(await opening, 'driver-failed');
  t.equal(helpers().length, 0);
  t.strictSame(await list(body.driver), []);
  t.match(await scanned(session, { source: 'flatbed' }), { code: 'device-offline' });
  t.match(await session.status({ signal: never() }), { online: false });
});

t.test('plugin: configDir, relative to the data folder', { skip }, async t => {
  const dataDir = t.testdir({ backends: { 'dll.conf': 'test\n', 'test.conf': 'number_of_devices 3\n' } });
  const { drivers } = await plugin.setup({
    options: { configDir: 'backends', localOnly: true, silenceSeconds: 60 },
    log: nullLog,
    dataDir,
  });
  const [driver] = drivers!;
  t.strictSame(
    (await list(driver!)).map(({ id }) => id),
    ['test:0', 'test:1', 'test:2'],
  );
  await driver!.close();
  t.strictSame(plugin.platforms, ['linux']);
});
