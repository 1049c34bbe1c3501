/** Listings, hot-plug and what a listing learns, over the simulated ImageCaptureCore. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device, Driver } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { bodyOf, helpers, lacking, never, scanned, type Body, type BodyOptions } from './rig.test.kit.js';

const skip = lacking();

async function bodyFor(t: Test, options: BodyOptions): Promise<Body> {
  const body = await bodyOf(options);
  t.teardown(() => body.dispose());
  return body;
}

async function listed(driver: Driver): Promise<Device[]> {
  const devices: Device[] = [];
  for await (const device of driver.devices({ signal: never() })) devices.push(device);
  return devices;
}

async function add(body: Body, name: string, is: string): Promise<void> {
  await mkdir(join(body.root, name));
  await writeFile(join(body.root, name, 'is'), is);
}

t.test('a listing knows what each scanner has, and how macOS differs', { skip }, async t => {
  const body = await bodyFor(t, { is: 'feeder duplex sensor', files: { name: 'Acme ScanFast 3' } });
  await add(body, 'glass', 'flatbed');
  const devices = await listed(body.driver);
  t.match(devices, [
    {
      id: 'desk',
      name: 'Acme ScanFast 3',
      manufacturer: 'Acme',
      model: 'Acme ScanFast 3',
      online: true,
      feeder: true,
      flatbed: false,
      duplex: true,
      feeding: 'continuous',
    },
    { id: 'glass', name: 'glass', feeder: false, flatbed: true, duplex: false },
  ]);
  for (const { traits } of devices)
    t.strictSame(traits, { listsOcrLanguages: true, ignoresPageSize: true, autoScanFailureLimit: 3 });
  t.equal(helpers().length, 1, 'one helper goes on browsing');
});

t.test('whoever watches is told who comes and goes', { skip }, async t => {
  const body = await bodyFor(t, { is: 'flatbed' });
  t.equal((await listed(body.driver)).length, 1);
  let tell = (): void => undefined;
  const unwatch = body.driver.watch?.(() => tell());
  const change = (work: Promise<void>) => Promise.all([new Promise<void>(resolve => (tell = resolve)), work]);
  await change(add(body, 'second', 'feeder'));
  t.strictSame(
    (await listed(body.driver)).map(each => each.id),
    ['desk', 'second'],
  );
  await change(rm(join(body.root, 'desk'), { recursive: true }));
  t.strictSame(
    (await listed(body.driver)).map(each => each.id),
    ['second'],
  );
  unwatch?.();
});

t.test('a scanner in use is listed with a guess, said once, and known when it was opened', { skip }, async t => {
  const body = await bodyFor(t, { is: 'feeder sensor' });
  await body.fault(0, 'busy');
  t.match(await listed(body.driver), [{ feeder: false, flatbed: true }]);
  t.match(await listed(body.driver), [{ feeder: false, flatbed: true }]);
  t.match(body.said, [/"Desk" is in use by another program.*capabilities are a guess/]);
  await body.clearFaults();
  const session = await body.driver.open('desk', { signal: never() });
  t.match(session.device, { feeder: true, flatbed: false });
  t.match(await listed(body.driver), [{ feeder: true, flatbed: false }]);
});

t.test('scanners of the network are there where the configuration wants them', { skip }, async t => {
  for (const network of [false, true]) {
    const body = await bodyFor(t, { is: 'flatbed remote', options: { network }, deadlines: { look: 500 } });
    t.equal((await listed(body.driver)).length, network ? 1 : 0);
    const opened = body.driver.open('desk', { signal: never() });
    if (network) await (await opened).close();
    else await t.rejects(opened, { code: 'device-not-found' });
  }
});

t.test('a scanner that does not answer holds up no listing, and is told of when it does', { skip }, async t => {
  const body = await bodyFor(t, { is: 'feeder', deadlines: { open: 60_000, list: 3000 } });
  await add(body, 'slow', 'feeder');
  await writeFile(join(body.root, 'slow', 'fault'), '0 deaf');
  t.match(await listed(body.driver), [
    { id: 'desk', feeder: true },
    { id: 'slow', feeder: false, flatbed: true },
  ]);
  t.match(
    await listed(body.driver),
    [
      { id: 'desk', feeder: true },
      { id: 'slow', flatbed: true },
    ],
    'it is still being asked',
  );
});

t.test('paper: a feeder that has said loaded is believed to be empty', { skip }, async t => {
  const status = async (is: string) => {
    const body = await bodyFor(t, { is });
    const session = await body.driver.open('desk', { signal: never() });
    const seen = [];
    for (const step of [async () => undefined, () => body.load(1), () => scanned(session, { source: 'feeder' })]) {
      await step();
      seen.push((await session.status({ signal: never() })).paper);
    }
    await session.close();
    return seen;
  };
  t.strictSame(await status('feeder sensor'), ['unknown', 'loaded', 'empty']);
  t.strictSame(await status('feeder'), ['unknown', 'unknown', 'unknown'], 'no sensor');
  t.strictSame(
    await status('feeder sensor flatbed'),
    ['empty', 'unknown', 'empty'],
    'beside a flatbed: auto-scan is for sheet-fed scanners',
  );
  t.strictSame(await status('flatbed'), ['unknown', 'unknown', 'unknown']);
});

t.test('without its helper there is one sentence with the repair, and no scanner', async t => {
  const { icaDriver } = await import('./driver.js');
  const { helperOf } = await import('./helper.js');
  const said: string[] = [];
  const log = { debug() {}, info() {}, warn: (message: string) => void said.push(message), error() {} };
  const driver = icaDriver({
    options: { transfer: 'memory', network: false, silenceSeconds: 60 },
    log,
    createHelper: helperOf('/nowhere/platen-ica-helper'),
  });
  t.match(await driver.check(), /cannot be used.*npm run build:native/);
  t.same(await listed(driver), []);
  t.same(said, [], 'what the check has returned is not said again');
  await driver.close();
});
