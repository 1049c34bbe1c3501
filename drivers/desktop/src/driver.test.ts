import type { Duplex } from 'node:stream';
import { fakeDriver } from '@platen/conformance';
import type { Device, Driver } from '@platen/core/plugin';
import { encodeFrame } from '@platen/driver-kit';
import t from 'tap';
import { absent, desktopRig, settled } from './desktop.test.kit.js';

const never = (): AbortSignal => new AbortController().signal;
const order = {
  source: 'feeder',
  resolution: 200,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 1e9,
} as const;

async function names(driver: Driver): Promise<string[]> {
  const found: Device[] = [];
  for await (const device of driver.devices({ signal: never() })) found.push(device);
  return found.map(each => each.name);
}

t.test('desktop driver: dials 2 s after its start, and every 5 s from then on', async t => {
  const { driver, clock, dials, log } = desktopRig(fakeDriver(), absent());
  t.teardown(() => driver.close());
  await clock.advance(1999);
  t.same(dials, []);
  await clock.advance(1);
  t.same(dials, [2000]);
  await clock.advance(4999);
  t.same(dials, [2000]);
  await clock.advance(1);
  await clock.advance(60_000);
  t.same(
    dials,
    [...Array(14).keys()].map(n => 2000 + n * 5000),
  );
  t.same(
    log.lines,
    ['info: The desktop application is not running; trying to connect every 5 seconds.'],
    'logged once',
  );
});

t.test('desktop driver: the application is away, every call is not-connected and link has no trouble', async t => {
  const { driver, advance } = desktopRig(fakeDriver(), absent());
  t.teardown(() => driver.close());
  for (let round = 0; round < 2; round++) {
    t.equal(driver.link.peer, undefined);
    t.equal(driver.link.trouble, undefined);
    await t.rejects(names(driver), { code: 'not-connected' });
    await t.rejects(driver.open('fake-1', { signal: never() }), { code: 'not-connected' });
    await advance(2000);
  }
});

t.test(
  'desktop driver: the application is connected, its version and scanners are known, and it dials no more',
  async t => {
    const far = fakeDriver();
    const { driver, dials, log, advance } = desktopRig(far, 'application', '4.5.6.0');
    t.teardown(() => driver.close());
    const changes: boolean[] = [];
    driver.link.onChange(connected => changes.push(connected));
    await advance(2000);
    t.same(driver.link.peer, { version: '4.5.6.0' });
    t.same(changes, [true]);
    t.same(await names(driver), ['Fake scanner']);
    await advance(60_000);
    t.same(dials, [2000]);
    t.match(log.lines, [
      'info: The desktop application, version 4.5.6.0, is connected.',
      /^warn: The desktop application is version 4\.5\.6\.0 and the service version \d+\.\d+\.\d+\. .* install the same version of Platen at both ends\.$/,
    ]);
    t.equal(log.lines.length, 2);
  },
);

t.test('desktop driver: the connection is lost, the scan fails at once; scans work after the next dial', async t => {
  const far = fakeDriver({ sheets: 5 });
  const own = desktopRig(far);
  const { driver, dials, log, advance } = own;
  t.teardown(() => driver.close());
  await advance(2000);
  const session = await driver.open('fake-1', { signal: never() });
  const pages = session.scan(order, { signal: never(), stop: never() })[Symbol.asyncIterator]();
  t.equal((await pages.next()).done, false);
  far.hold();
  const next = pages.next();
  const lost = new Promise<boolean>(resolve => driver.link.onChange(resolve));
  own.far?.destroy();
  t.equal(await lost, false, 'before the clock advances');
  await t.rejects(next, { code: 'not-connected' });
  await t.rejects(session.status({ signal: never() }), { code: 'not-connected' });
  t.equal(driver.link.peer, undefined);
  far.release();

  own.meets = absent();
  await advance(5000);
  own.meets = 'application';
  await advance(5000);
  t.same(dials, [2000, 7000, 12_000]);
  t.ok(driver.link.peer);
  const again = await driver.open('fake-1', { signal: never() });
  await again.close();
  t.match(log.lines, [
    /is connected/,
    /^warn: The desktop application disconnected; .* 5 seconds\.$/,
    /is not running/,
    /is connected/,
  ]);
});

t.test('desktop driver: a pending dial, no second one is started', async t => {
  let found = (): void => undefined;
  const own = desktopRig(fakeDriver(), absent());
  const { driver, dials, advance } = own;
  t.teardown(() => driver.close());
  own.meets = far => void (found = () => far.destroy()); // a stream whose far end sends nothing
  await advance(12_000);
  t.same(dials, [2000]);
  own.meets = 'application';
  found();
  await settled();
  await advance(5000);
  t.same(dials, [2000, 17_000]);
  t.ok(driver.link.peer);
});

t.test('desktop driver: an application that hangs counts as lost after 10 s', async t => {
  const own = desktopRig(fakeDriver(), far => sendHandshake(far, 2));
  const { driver, log, dials, advance } = own;
  t.teardown(() => driver.close());
  await advance(2000);
  t.ok(driver.link.peer, 'after its handshake');
  await advance(10_000);
  t.ok(driver.link.peer, 'two pings are pending');
  await advance(5000);
  t.equal(driver.link.peer, undefined);
  t.equal(driver.link.trouble, 'It has not answered for 10 seconds.');
  t.same(log.lines.slice(2), [
    'warn: The connection of the driver desktop ended: the desktop application stopped responding.',
    'warn: The desktop application disconnected; trying to reconnect every 5 seconds.',
  ]);
  own.meets = 'application';
  await advance(5000);
  t.ok(driver.link.peer);
  t.equal(driver.link.trouble, undefined);
  await advance(60_000);
  t.same(dials, [2000, 22_000], 'an application that answers stays connected');
});

t.test('desktop driver: another protocol, the fix is logged once and is link.trouble', async t => {
  const { driver, log, dials, advance } = desktopRig(fakeDriver(), far => sendHandshake(far, 3));
  t.teardown(() => driver.close());
  await advance(30_000);
  const sentence =
    /the other end \(version 9\.9\.9\) speaks protocol 3, this one \(version \d+\.\d+\.\d+\) protocol 2: install the same version of Platen at both ends/;
  t.match(log.lines, [sentence]);
  t.equal(log.lines.length, 1);
  t.equal(dials.length, 6);
  t.match(driver.link.trouble, sentence);
});

t.test('desktop driver: a failed dial is logged once, and is link.trouble until the next one', async t => {
  const own = desktopRig(fakeDriver(), new Error("The process there is not Platen's desktop application."));
  const { driver, log, advance } = own;
  t.teardown(() => driver.close());
  await advance(30_000);
  t.same(log.lines, ["warn: The process there is not Platen's desktop application."]);
  t.equal(driver.link.trouble, "The process there is not Platen's desktop application.");
  own.meets = absent();
  await advance(5000);
  t.equal(driver.link.trouble, undefined);
  own.meets = 'application';
  await advance(5000);
  own.meets = new Error("The process there is not Platen's desktop application.");
  own.far?.destroy();
  await settled();
  await advance(5000);
  t.equal(log.lines.filter(line => line.includes('The process there')).length, 2, 'logged again after a connection');
});

t.test('desktop driver: closed, dials no more and drops a pending dial', async t => {
  const { driver, dials, advance } = desktopRig(fakeDriver());
  await driver.close();
  await advance(60_000);
  t.same(dials, []);

  let given = (_: Duplex): void => undefined;
  const late = desktopRig(fakeDriver(), absent());
  late.meets = far => given(far);
  const arrived = new Promise<Duplex>(resolve => (given = resolve));
  await late.clock.advance(2000);
  const far = await arrived;
  await late.driver.close();
  far.resume();
  await new Promise<void>(resolve => (far.readableEnded ? resolve() : far.once('end', () => resolve())));
  t.equal(late.driver.link.peer, undefined);
  await late.advance(60_000);
  t.same(late.dials, [2000]);
  t.notMatch(late.log.lines.join(), /disconnected/);
});

t.test('desktop driver: insert is present while the application has it', async t => {
  const inserted: string[] = [];
  const far: Driver = {
    ...fakeDriver(),
    insert: async (deviceId, image) => void inserted.push(`${deviceId} ${image.length}`),
  };
  const own = desktopRig(far);
  t.teardown(() => own.driver.close());
  t.equal(own.driver.insert, undefined);
  await own.advance(2000);
  await own.driver.insert?.('fake-1', new Uint8Array(3));
  t.same(inserted, ['fake-1 3']);
  own.far?.destroy();
  await settled();
  t.equal(own.driver.insert, undefined);
});

/** Sends the handshake of a desktop application, and nothing afterwards. */
function sendHandshake(far: Duplex, protocol: number): void {
  for (const chunk of encodeFrame({ hello: { protocol, role: 'driver', version: '9.9.9', insert: false } }))
    far.write(chunk);
  far.resume();
}
