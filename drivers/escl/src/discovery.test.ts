/** Scanners that are found on the network, which is loopback here. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Device, Driver } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { esclDriver } from './driver.js';
import { optionsWith, quick, quiet } from './rig.test.kit.js';
import type { EsclOptions } from './settings.js';
import { advertise } from './testing/advertise.js';
import { startDevice } from './testing/device.js';
import { selfSigned } from './testing/selfSigned.js';

const signal = new AbortController().signal;

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}

async function driverOn(t: Test, port: number, options: Partial<EsclOptions> = {}): Promise<{ driver: Driver; dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'escl-'));
  const discovery = { discovery: true, discoverySeconds: 0.6, discoveryInterface: '127.0.0.1', discoveryPort: port };
  const driver = esclDriver({ options: optionsWith({ ...discovery, ...options }), log: quiet, dataDir, deadlines: quick });
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

t.test('a device is found, opened, lost and gone', async t => {
  const port = await freePort();
  const device = await startDevice({ feeder: 'simplex' });
  const uuid = device.service.txt['uuid'] ?? '';
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, port);
  t.strictSame(await list(driver), []);
  const advertisement = await advertise(device.service, { port });
  t.teardown(() => advertisement.vanish());
  t.match(await list(driver), [{ id: uuid, name: 'Platen Test Device', online: true, feeder: true, flatbed: true, duplex: false }]);
  const session = await driver.open(uuid, { signal });
  t.match(await session.status({ signal }), { paper: 'empty' });
  await session.close();

  device.unplug();
  t.match(await list(driver), [{ id: uuid, online: false, feeder: true, duplex: false }], 'what is known of it is kept');
  await advertisement.withdraw();
  t.strictSame(await list(driver), []);
});

t.test('it can be opened without a listing before, and one that is configured as well is listed once', async t => {
  const port = await freePort();
  const device = await startDevice();
  const uuid = device.service.txt['uuid'] ?? '';
  t.teardown(() => device.close());
  const advertisement = await advertise(device.service, { port });
  t.teardown(() => advertisement.vanish());
  const { driver } = await driverOn(t, port);
  await (await driver.open(uuid, { signal })).close();
  await t.rejects(driver.open('00000000-1111', { signal }), { code: 'device-not-found' });

  const both = await driverOn(t, port, { devices: [device.url] });
  t.match(await list(both.driver), [{ id: device.url }]);
});

t.test('a certificate of its own is remembered, and another one is refused', async t => {
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
  t.match(await list(driver), [{ online: false }]);
  await t.rejects(driver.open(device.url, { signal }), { code: 'driver-failed', message: /certificate is not the one .* remove "https:.*certificates\.json/ });
  t.strictSame(other.requests, [], 'it was told nothing');
  t.equal(await readFile(file, 'utf8'), pinned);
});

t.test('pages over TLS', async t => {
  const device = await startDevice({ tls: selfSigned() });
  t.teardown(() => device.close());
  const { driver } = await driverOn(t, await freePort(), { discovery: false, devices: [device.url] });
  device.load(2);
  const session = await driver.open(device.url, { signal });
  const pages = [];
  const order = { resolution: 75, colorMode: 'Color', duplexMode: 'Simplex', pageSize: 'A6', adjustments: [], maxPixels: 1e7 } as const;
  for await (const page of session.scan(order, { signal, stop: signal })) pages.push(page);
  t.equal(pages.length, 2);
});

t.test('a port that cannot be had is no failure', async t => {
  const { driver } = await driverOn(t, await freePort(), { discoveryInterface: '192.0.2.1' });
  t.strictSame(await list(driver), []);
});
