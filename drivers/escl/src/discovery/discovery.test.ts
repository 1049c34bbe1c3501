/** Discovery of scanners on the network, here on loopback. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { nullLog, type Device, type Driver } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { esclDriver, type DriverParts } from '../driver.js';
import type { EsclOptions } from '../options.js';
import { optionsWith, quick } from '../rig.test.kit.js';
import { advertise } from '../testing/advertise.js';
import { startDevice } from '../testing/device.js';
import { findScanners } from './find.js';
import { selfSigned } from '../testing/selfSigned.js';

const signal = new AbortController().signal;

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}

async function driverOn(
  t: Test,
  port: number,
  options: Partial<EsclOptions> = {},
  parts: Partial<DriverParts> = {},
): Promise<{ driver: Driver; dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'escl-'));
  const discovery = { discovery: true, discoverySeconds: 0.6, discoveryInterface: '127.0.0.1', discoveryPort: port };
  const driver = esclDriver({
    options: optionsWith({ ...discovery, ...options }),
    log: nullLog,
    dataDir,
    deadlines: quick,
    ...parts,
  });
  t.teardown(async () => {
    await driver.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { driver, dataDir };
}

async function list(driver: Driver): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices({ signal })) found.push(device);
  return found;
}

/** Lists at each change that the driver reports, until the list is as expected. */
async function listedAs(driver: Driver, isRight: (devices: readonly Device[]) => boolean): Promise<Device[]> {
  for (;;) {
    let change = (): void => undefined;
    const changed = new Promise<void>(resolve => (change = resolve));
    const unwatch = driver.watch?.(change);
    const devices = await list(driver);
    if (isRight(devices)) {
      unwatch?.();
      return devices;
    }
    await changed;
    unwatch?.();
  }
}

t.test('discovery: a device appears, is opened, unplugged, plugged in and withdrawn', async t => {
  const port = await freePort();
  const device = await startDevice({ feeder: 'simplex' });
  const uuid = device.service.txt['uuid'] ?? '';
  const id = `${uuid}@${uuid}.local`;
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, port);
  t.strictSame(await list(driver), []);
  const advertisement = await advertise(device.service, { port });
  t.teardown(() => advertisement.vanish());
  const found = await listedAs(driver, devices => devices.length === 1);
  const identities = [`uuid:${uuid}`, `escl:127.0.0.1/${device.service.name}`, `escl:${device.url}`];
  t.match(found, [
    { id, name: 'Platen Test Device', online: true, feeder: true, flatbed: true, duplex: false, identities },
  ]);
  const session = await driver.open(id, { signal });
  t.match(await session.status({ signal }), { paper: 'empty' });
  await session.close();

  device.unplug();
  await t.rejects(driver.open(id, { signal }), { code: 'device-offline' });
  t.match(
    await listedAs(driver, ([first]) => first?.online === false),
    [{ id, online: false, feeder: true, duplex: false }],
    'its capabilities are remembered',
  );
  await device.plug();
  t.match(await listedAs(driver, ([first]) => first?.online === true), [{ id }], 'it is probed again by itself');
  await advertisement.withdraw();
  t.strictSame(await listedAs(driver, devices => devices.length === 0), []);
});

t.test('a device that comes back is listed as online, though the session from before is open', async t => {
  const device = await startDevice();
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, await freePort(), { discovery: false, devices: [device.url] });
  t.match(await list(driver), [{ online: true }]);
  const session = await driver.open(device.url, { signal });
  device.unplug();
  t.match(await session.status({ signal }), { online: false });
  await listedAs(driver, ([first]) => first?.online === false);
  await device.plug();
  t.match(await listedAs(driver, ([first]) => first?.online === true), [{ id: device.url }]);
});

t.test('discovery: open without a listing; configured and discovered, listed once', async t => {
  const port = await freePort();
  const device = await startDevice();
  const uuid = device.service.txt['uuid'] ?? '';
  const id = `${uuid}@${uuid}.local`;
  t.teardown(() => device.close());
  const advertisement = await advertise(device.service, { port });
  t.teardown(() => advertisement.vanish());
  const { driver } = await driverOn(t, port);
  await (await driver.open(id, { signal })).close();
  await t.rejects(driver.open('00000000-1111', { signal }), { code: 'device-not-found' });

  const both = await driverOn(t, port, { devices: [device.url] });
  const isComplete = (devices: readonly Device[]) => devices.length === 1 && devices[0]?.identities?.length === 3;
  t.match(
    await listedAs(both.driver, isComplete),
    [{ id: device.url, identities: [`uuid:${uuid}`, `escl:127.0.0.1/${device.service.name}`, `escl:${device.url}`] }],
    'with its identities',
  );
});

t.test(
  'discovery: who changes the settings is offered what is not configured, also where discovery is off',
  async t => {
    const port = await freePort();
    const device = await startDevice();
    t.teardown(() => device.close());
    const advertisement = await advertise(device.service, { port });
    t.teardown(() => advertisement.vanish());
    const options = optionsWith({
      ...{ discovery: false, discoverySeconds: 0.6, discoveryInterface: '127.0.0.1', discoveryPort: port },
    });
    const [found, ...more] = await findScanners(options, nullLog, { signal });
    t.match(found, {
      title: /^Platen Test Device at 127\.0\.0\.1:/,
      options: { devices: [/^https?:\/\/127\.0\.0\.1:/] },
    });
    t.strictSame(more, []);
    const devices = (found?.options['devices'] ?? []) as readonly string[];
    const { driver } = await driverOn(t, port, { discovery: false, devices });
    t.match(
      await list(driver),
      [{ name: 'Platen Test Device', online: true }],
      'what is offered is an option that works',
    );
    t.strictSame(
      await findScanners({ ...options, devices }, nullLog, { signal }),
      [],
      'what is configured is not offered',
    );
  },
);

t.test('discovery: two scanners on one host and port, both listed', async t => {
  const port = await freePort();
  const [device, other] = await Promise.all([startDevice(), startDevice({ root: 'other' })]);
  t.teardown(() => Promise.all([device.close(), other.close()]));
  // As in AirSane: several scanners on one port, each with its own path.
  const second = { ...other.service, port: device.port, name: 'Second' };
  const advertisements = await Promise.all([device.service, second].map(each => advertise(each, { port })));
  t.teardown(() => Promise.all(advertisements.map(each => each.vanish())));
  const { driver } = await driverOn(t, port, { devices: [device.url] });
  const devices = await listedAs(driver, found => found.length === 2);
  t.strictSame(
    devices.map(({ id }) => id),
    [device.url, `${other.service.txt['uuid']}@${other.service.txt['uuid']}.local`],
  );
  const [first = [], rest = []] = devices.map(({ identities = [] }) => identities);
  t.notOk(
    first.some(each => rest.includes(each)),
    'with different identities',
  );
});

t.test('discovery: a device does not answer, the others are listed and it is logged once', async t => {
  const [device, silent] = await Promise.all([startDevice(), startDevice()]);
  t.teardown(() => Promise.all([device.close(), silent.close()]));
  silent.fault('always', 'deaf');
  const warnings: string[] = [];
  const log = { ...nullLog, warn: (message: string) => void warnings.push(message) };
  const { driver } = await driverOn(
    t,
    await freePort(),
    { devices: [silent.url, device.url] },
    { log, deadlines: { ...quick, answer: 60_000 } },
  );
  const found: Device[] = [];
  for await (const each of driver.devices({ signal })) found.push(each);
  t.match(
    found,
    [
      { id: device.url, online: true },
      { id: silent.url, online: false },
    ],
    'first listing: in the order of the answers',
  );
  t.match(
    await list(driver),
    [
      { id: silent.url, online: false },
      { id: device.url, online: true },
    ],
    'later listings: from memory',
  );
  await (await driver.open(device.url, { signal })).close();
  t.equal(silent.requests.length, 1, 'one probe at a time');
  await silent.close();
  while (warnings.length === 0) await pause(20);
  t.match(warnings, { length: 1, 0: silent.url }, 'once');
});

t.test('close: no further requests', async t => {
  const port = await freePort();
  const device = await startDevice();
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, port, { devices: [device.url] });
  await list(driver);
  await driver.close();
  t.strictSame(await list(driver), []);
  await t.rejects(driver.open(device.url, { signal }));
  const before = device.requests.length;
  const advertisement = await advertise(device.service, { port });
  await advertisement.withdraw();
  t.equal(device.requests.length, before);
});

t.test('TLS: self-signed certificate pinned, another one rejected', async t => {
  const device = await startDevice({ tls: selfSigned() });
  const { driver, dataDir } = await driverOn(t, await freePort(), { discovery: false, devices: [device.url] });
  t.match(await list(driver), [{ online: true }]);
  const file = join(dataDir, 'escl', 'certificates.json');
  const pinned = await readFile(file, 'utf8');
  t.match(JSON.parse(pinned), { [device.url]: /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/ });
  await (await driver.open(device.url, { signal })).close();
  await device.close();

  const other = await startDevice({ tls: selfSigned(), port: device.port });
  t.teardown(() => other.close());
  await t.rejects(driver.open(device.url, { signal }), {
    code: 'driver-failed',
    message: /"https:.*certificates\.json/,
  });
  t.match(await listedAs(driver, ([first]) => first?.online === false), [{ id: device.url }]);
  t.strictSame(other.requests, [], 'no request was sent');
  t.equal(await readFile(file, 'utf8'), pinned);
});

t.test('TLS: pages are scanned', async t => {
  const device = await startDevice({ tls: selfSigned() });
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, await freePort(), { discovery: false, devices: [device.url] });
  device.load(2);
  const session = await driver.open(device.url, { signal });
  const pages = [];
  const order = {
    source: 'feeder',
    resolution: 75,
    colorMode: 'Color',
    duplexMode: 'Simplex',
    pageSize: 'A6',
    adjustments: [],
    maxPixels: 1e7,
  } as const;
  for await (const page of session.scan(order, { signal, stop: signal })) pages.push(page);
  t.equal(pages.length, 2);
});

t.test('discovery: unavailable interface, an empty list', async t => {
  const { driver } = await driverOn(t, await freePort(), { discoveryInterface: '192.0.2.1' });
  t.strictSame(await list(driver), []);
});
