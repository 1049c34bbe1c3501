/**
 * The driver of an isolated plugin: works while its process runs, is offline while it is down, and is never
 * `not-connected`.
 */
import { driverContract, type DriverRig, fakeDriver } from '@platen/conformance';
import type { Call, Device, Driver, ScanOrder } from '@platen/core';
import t from 'tap';
import { rigOf, settle, type Rig } from './isolate.test.kit.js';

const never = (): AbortSignal => new AbortController().signal;
const call = (): Call => ({ signal: never() });
const order: ScanOrder = {
  source: 'feeder',
  resolution: 75,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 1e8,
};
const crash = 'was ended by SIGSEGV';
const ended = `The process of the plugin "@acme/x" ${crash}; restarting in 1 s.`;

async function list(driver: Driver): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices(call())) found.push(device);
  return found;
}

async function begun(): Promise<Rig> {
  const rig = rigOf();
  await rig.supervisor.begin();
  return rig;
}

async function restarted(rig: Rig): Promise<void> {
  for (let seconds = 0; seconds < 2 && !rig.supervisor.running; seconds++) {
    await rig.clock.advance(1000);
    await settle();
  }
}

t.test('isolated driver: while the process is down, its scanners are offline', async t => {
  const rig = await begun();
  const { driver } = rig;
  t.notOk('link' in driver);
  let changes = 0;
  const end = driver.watch?.(() => changes++);
  t.match(await list(driver), [{ id: 'fake-1', online: true }]);
  rig.last.end(crash);
  await settle();
  t.equal(changes, 1);
  t.match(await list(driver), [{ id: 'fake-1', online: false }]);
  await t.rejects(driver.open('fake-1', call()), { code: 'device-offline', message: ended });
  await restarted(rig);
  t.equal(changes, 2);
  t.match(await list(driver), [{ id: 'fake-1', online: true }]);
  const session = await driver.open('fake-1', call());
  t.match(await session.status(call()), { online: true });
  end?.();
  await driver.close();
  await t.rejects(driver.open('fake-1', call()), { code: 'device-offline' });
});

t.test('isolated driver: the process ends during a listing, a status and a scan', async t => {
  const held = rigOf(() => fakeDriver({ discovery: 'held' }));
  await held.supervisor.begin();
  const listing = list(held.driver);
  await settle();
  held.last.end(crash);
  t.same(await listing, []);
  await held.driver.close();

  const rig = await begun();
  const session = await rig.driver.open('fake-1', call());
  const events: string[] = [];
  const end = session.watch?.(event => events.push(event));
  rig.last.driver.load(2);
  const pages = session.scan(order, { ...call(), stop: never() })[Symbol.asyncIterator]();
  t.match(await pages.next(), { value: { sheet: 1 } });
  rig.last.driver.hold();
  const second = pages.next();
  second.catch(() => undefined);
  await settle();
  rig.last.end(crash);
  await t.rejects(second, { code: 'driver-failed', message: ended });
  t.ok((await pages.next()).done);
  t.same(events, ['offline']);
  end?.();
  await t.rejects(session.status(call()), { code: 'device-offline', message: ended });
  await restarted(rig);
  await t.rejects(session.status(call()), { code: 'device-offline', message: /has ended\. Open/ });
  await session.close();

  const again = await rig.driver.open('fake-1', call());
  let sheets = 0;
  for await (const page of again.scan(order, { ...call(), stop: never() })) sheets = page.sheet;
  t.equal(sheets, 3);
  await rig.driver.close();
});

t.test("isolated driver: the plugin's own errors pass through unchanged", async t => {
  const rig = rigOf(() => ({
    ...fakeDriver(),
    open: async () => Promise.reject(Object.assign(new Error('its own network'), { code: 'not-connected' })),
  }));
  await rig.supervisor.begin();
  await t.rejects(rig.driver.open('fake-1', call()), { code: 'not-connected', message: 'its own network' });
  await t.rejects(
    list({ ...rig.driver, devices: () => rig.driver.devices({ signal: AbortSignal.abort(new Error('enough')) }) }),
    { message: 'enough' },
  );
  await rig.driver.close();
});

t.test('isolated driver: insert exists if the plugin has it; device-offline while the process is down', async t => {
  const inserted: string[] = [];
  const rig = rigOf(() => Object.assign(fakeDriver(), { insert: async (id: string) => void inserted.push(id) }));
  await rig.supervisor.begin();
  const { isolatedDriver } = await import('./isolatedDriver.js');
  const driver = isolatedDriver({ id: 'fake', remote: rig.remote, supervisor: rig.supervisor });
  await driver.insert?.('fake-1', new Uint8Array(2));
  t.same(inserted, ['fake-1']);
  rig.last.end(crash);
  await settle();
  await t.rejects(driver.insert!('fake-1', new Uint8Array(2)), { code: 'device-offline', message: ended });
  await driver.close();
  t.notOk((await begun()).driver.insert);
});

async function make(): Promise<DriverRig> {
  const rig = await begun();
  const fake = rig.last.driver;
  fake.load(-fake.remaining());
  return {
    driver: rig.driver,
    deviceId: 'fake-1',
    load: async sheets => fake.load(sheets),
    remaining: async () => fake.remaining(),
    fault: async (sheet, fault) => fake.fault(sheet, fault),
    clearFaults: async () => fake.clearFaults(),
    dispose: () => rig.driver.close(),
  };
}

t.test('isolated driver: keeps every promise of the contract', t =>
  driverContract(t, {
    make,
    features: {
      feeder: true,
      flatbed: true,
      duplex: true,
      faults: ['paper-jam', 'double-feed', 'cover-open', 'device-offline', 'no-paper', 'driver-failed', 'hang'],
      packageUrl: new URL('./isolate.js', import.meta.url),
    },
  }),
);
