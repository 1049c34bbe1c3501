/** Listings and hot-plug, over the simulated ImageCaptureCore. */
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
  // The helper names those that it found before it was asked in no order.
  return devices.sort((a, b) => a.id.localeCompare(b.id));
}

async function add(body: Body, name: string, is: string): Promise<void> {
  await mkdir(join(body.root, name));
  await writeFile(join(body.root, name, 'is'), is);
}

t.test("driver: a listing, has each scanner's sources and macOS's traits", { skip }, async t => {
  const body = await bodyFor(t, { is: 'feeder duplex sensor', files: { name: 'Acme ScanFast 3' } });
  await add(body, 'table', 'flatbed');
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
    { id: 'table', name: 'table', feeder: false, flatbed: true, duplex: false },
  ]);
  for (const { traits } of devices)
    t.strictSame(traits, { listsOcrLanguages: true, ignoresPageSize: true, autoScanFailureLimit: 3 });
  t.equal(helpers().length, 1, 'one helper keeps browsing');
});

t.test('driver: watched, reports scanners that come and go', { skip }, async t => {
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

t.test(
  'driver: a scanner in use, listed with a guess that is logged once; known after it was opened',
  { skip },
  async t => {
    const body = await bodyFor(t, { is: 'feeder sensor' });
    await body.fault(0, 'busy');
    t.match(await listed(body.driver), [{ feeder: false, flatbed: true }]);
    t.match(await listed(body.driver), [{ feeder: false, flatbed: true }]);
    t.match(body.said, [/"Desk" is in use by another program.*capabilities are a guess/]);
    await body.clearFaults();
    const session = await body.driver.open('desk', { signal: never() });
    t.match(session.device, { feeder: true, flatbed: false });
    t.match(await listed(body.driver), [{ feeder: true, flatbed: false }]);
  },
);

t.test('driver: network scanners, listed only with the option "network"', { skip }, async t => {
  for (const network of [false, true]) {
    const body = await bodyFor(t, { is: 'flatbed remote', options: { network }, deadlines: { look: 2000 } });
    t.equal((await listed(body.driver)).length, network ? 1 : 0);
    const opened = body.driver.open('desk', { signal: never() });
    if (network) await (await opened).close();
    else await t.rejects(opened, { code: 'device-not-found' });
  }
});

t.test(
  'driver: a scanner that does not answer, listed with a guess without delaying the listing',
  { skip },
  async t => {
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
  },
);

t.test('status: a feeder is reported empty only after it has reported paper', { skip }, async t => {
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

t.test('driver: no helper, one message with the fix and no scanner', async t => {
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
  t.same(said, [], 'what check returned is not logged again');
  await driver.close();
});
