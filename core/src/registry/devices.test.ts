/** Listing: unique names that stay, no wait for the slow, nothing asked of a driver that scans. */
import t from 'tap';
import type { Device, Driver } from '../contract/driver.js';
import { fakeClock } from '../testing/fakeClock.js';
import { fakeDriver } from '../testing/fakeDriver.js';
import { createDevices, describeScanner, LIST_DEADLINE_MS, type KnownDevice } from './devices.js';

/** Discovery that a test steps through by hand. */
function steppedDriver(id: string, script: (call: { signal: AbortSignal }) => AsyncIterable<Device>): Driver & { asked: number } {
  const driver = { ...fakeDriver({ id }), asked: 0, devices: (call: { signal: AbortSignal }) => (driver.asked++, script(call)) };
  delete (driver as Partial<Driver>).watch;
  return driver;
}

const device = (id: string, name = id): Device => ({ id, name, manufacturer: 'M', model: 'X', online: true, feeder: true, flatbed: false, duplex: false, feeding: 'perSheet' });
const names = (known: readonly KnownDevice[]): string[] => known.map(each => each.name);
const FRESH_MS = 1000;
function setUp(drivers: readonly Driver[]) {
  const clock = fakeClock();
  const warnings: string[] = [];
  const quiet = (): void => undefined;
  const devices = createDevices(drivers, clock, { debug: quiet, info: quiet, error: quiet, warn: message => void warnings.push(message) });
  return { clock, devices, warnings };
}

const fake = (id: string, ...list: string[]) => fakeDriver({ id, devices: list.map((name, i) => ({ id: `${id}-${i}`, name })) });

t.test('names are unique: where two are alike, the later one in the order of plugins gets a suffix', async t => {
  const { devices } = setUp([fake('a', 'Desk', 'Desk'), fake('b', 'Hall', 'Desk', 'Desk (2)')]);
  const all = await devices.list();
  t.same(names(all), ['Desk', 'Desk (2)', 'Hall', 'Desk (3)', 'Desk (2) (2)']);
  t.equal((await devices.find('Desk (3)')).device.id, 'b-1');
});

t.test('a suffix stays with its scanner while a later listing trickles, and whatever order that has', async t => {
  const next: (() => void)[] = [];
  const gate = (): Promise<void> => new Promise(resolve => next.push(resolve));
  let order = ['1', '2'];
  let held = false;
  const driver = steppedDriver('a', async function* () {
    for (const id of order) {
      if (held) await gate();
      yield device(id, 'Desk');
    }
  });
  const { clock, devices } = setUp([driver]);
  const ids = (known: readonly KnownDevice[]) => Object.fromEntries(known.map(each => [each.name, each.device.id]));
  t.same(ids(await devices.list()), { Desk: '1', 'Desk (2)': '2' });
  await clock.advance(FRESH_MS);
  held = true;
  order = ['2', '1'];
  const listing = devices.list();
  await clock.advance(0);
  next.shift()?.();
  await clock.advance(LIST_DEADLINE_MS);
  t.same(ids(await listing), { Desk: '1', 'Desk (2)': '2' }, 'only the second one has been found again so far');
  next.shift()?.();
  await clock.advance(0);
  t.same(ids(await devices.list()), { Desk: '1', 'Desk (2)': '2' }, 'complete, in another order');
});

t.test('a slow driver holds up a listing no longer than the deadline; what it trickled is in it, the rest in a later one', async t => {
  const clockless: (() => void)[] = [];
  const slow = steppedDriver('slow', async function* () {
    yield device('early');
    await new Promise<void>(resolve => clockless.push(resolve));
    yield device('late');
  });
  const { clock, devices } = setUp([slow, fake('quick', 'Quick')]);
  let listed: readonly KnownDevice[] | undefined;
  const listing = devices.list().then(all => (listed = all));
  await clock.advance(LIST_DEADLINE_MS - 1);
  t.equal(listed, undefined);
  await clock.advance(1);
  t.same(names(await listing), ['early', 'Quick']);
  clockless[0]?.();
  await clock.advance(0);
  t.same(names(await devices.list()), ['early', 'late', 'Quick']);
  t.equal(slow.asked, 1, 'one discovery served both listings');
});

t.test('a discovery that never ends, and never hears, is abandoned; the driver is asked again', async t => {
  let calls = 0;
  const driver = steppedDriver('deaf', async function* () {
    if (++calls === 1) await new Promise(() => {});
    yield device('found');
  });
  const { clock, devices, warnings } = setUp([driver]);
  const first = devices.list();
  await clock.advance(LIST_DEADLINE_MS);
  t.same(names(await first), []);
  await clock.advance(30_000);
  t.match(warnings, [/^The driver deaf could not list its scanners: .*took longer than 30 s/]);
  t.same(names(await devices.list()), ['found']);
});

t.test('what an abandoned discovery says too late is not taken', async t => {
  let late = (): void => undefined;
  let calls = 0;
  const driver = steppedDriver('late', async function* () {
    if (++calls > 1) return;
    await new Promise<void>(resolve => (late = resolve));
    yield device('ghost');
  });
  const { clock, devices } = setUp([driver]);
  void devices.list();
  await clock.advance(30_000);
  const listing = devices.list();
  late();
  await clock.advance(0);
  t.same(names(await listing), []);
  t.same(names(await devices.list()), []);
});

t.test('a driver that throws is logged, keeps what it was known to have, and does not hide the others', async t => {
  let broken = false;
  const driver = steppedDriver('moody', async function* () {
    yield device('one');
    if (broken) throw new Error('the bus is gone');
    yield device('two');
  });
  const atOnce = steppedDriver('rude', () => {
    throw new Error('not even a generator');
  });
  const { clock, devices, warnings } = setUp([driver, atOnce, fake('good', 'Good')]);
  t.same(names(await devices.list()), ['one', 'two', 'Good']);
  t.same(warnings, ['The driver rude could not list its scanners: not even a generator']);
  broken = true;
  await clock.advance(FRESH_MS);
  t.same(names(await devices.list()), ['one', 'two', 'Good']);
  t.ok(warnings.includes('The driver moody could not list its scanners: the bus is gone'));
});

t.test('a driver that cannot watch is listed all the same', async t => {
  const driver = fakeDriver();
  driver.watch = () => { throw new Error('no hot plug here'); };
  const { devices, warnings } = setUp([driver]);
  t.same(names(await devices.list()), ['Fake scanner']);
  t.same(warnings, ['The driver fake could not watch for scanners: no hot plug here']);
});

t.test('a fresh listing is not asked for again, unless the driver announced a change', async t => {
  const driver = fakeDriver();
  const { clock, devices } = setUp([driver]);
  await Promise.all([devices.list(), devices.list()]);
  t.equal(driver.discoveries, 1, 'listings share a discovery');
  await clock.advance(FRESH_MS - 1);
  await devices.list();
  t.equal(driver.discoveries, 1);
  driver.unplug();
  t.match(await devices.list(), [{ device: { online: false } }]);
  t.equal(driver.discoveries, 2);
  await clock.advance(FRESH_MS);
  await devices.list();
  t.equal(driver.discoveries, 3);
});

t.test('a change that is announced while a discovery runs is looked for by the next listing', async t => {
  const driver = fakeDriver({ discovery: 'held' });
  const { clock, devices } = setUp([driver]);
  const first = devices.list();
  await clock.advance(0);
  driver.unplug();
  driver.discover();
  await first;
  await devices.list();
  t.equal(driver.discoveries, 2);
});

t.test('a scanner that is gone is not listed any more', async t => {
  let list = ['1', '2'];
  const driver = steppedDriver('a', async function* () {
    for (const id of list) yield device(id);
  });
  const { clock, devices } = setUp([driver]);
  await devices.list();
  list = ['2'];
  await clock.advance(FRESH_MS);
  t.same(names(await devices.list()), ['2']);
});

t.test('nothing is discovered by a driver that scans: a running discovery is abandoned, the known ones are listed', async t => {
  const [driver, other] = [fakeDriver(), fake('other', 'Other')];
  const { clock, devices, warnings } = setUp([driver, other]);
  await devices.list();
  await clock.advance(FRESH_MS);
  const [first, second] = [devices.hold(driver), devices.hold(driver)];
  t.same(names(await devices.list()), ['Fake scanner', 'Other']);
  t.equal(driver.discoveries, 1);
  t.equal(other.discoveries, 2, 'the other driver is asked');
  first();
  first();
  await clock.advance(FRESH_MS);
  await devices.list();
  t.equal(driver.discoveries, 1, 'one hold is left, and ending the other one twice counts once');
  second();
  await clock.advance(FRESH_MS);
  await devices.list();
  t.equal(driver.discoveries, 2);

  const slow = fakeDriver({ discovery: 'held' });
  const more = setUp([slow]);
  const listing = more.devices.list();
  await more.clock.advance(0);
  more.devices.hold(slow);
  t.same(names(await listing), [], 'without waiting for the deadline');
  t.same([...warnings, ...more.warnings], [], 'which is nothing to warn of');
});

t.test('while a link is down nothing is listed or found', async t => {
  const linked = fakeDriver({ link: { connected: false } });
  const { devices } = setUp([fake('a', 'Desk'), linked]);
  const refused = { code: 'not-connected', message: /^The desktop application is not connected: start it/ };
  t.throws(() => devices.assertConnected(), refused);
  t.throws(() => setUp([{ ...linked, link: { ...linked.link!, peer: undefined, trouble: 'It is too old.' } }]).devices.assertConnected(), { message: /connected\. It is too old\.$/ });
  await t.rejects(devices.list(), refused);
  await t.rejects(devices.find('Desk'), refused);
  linked.connect();
  t.same(names(await devices.list()), ['Desk', 'Fake scanner']);
});

t.test('a scanner that is not there is an error that names those that are', async t => {
  await t.rejects(setUp([fake('a', 'Desk', 'Hall')]).devices.find('desk'), {
    code: 'device-not-found',
    message: 'There is no scanner named "desk". This computer has "Desk", "Hall".',
  });
  await t.rejects(setUp([]).devices.find('Desk'), { code: 'device-not-found', message: /This computer has none: connect one, or install its driver\.$/ });
});

t.test('close ends the watch and abandons what runs', async t => {
  const abandoned: unknown[] = [];
  const driver = steppedDriver('a', async function* ({ signal }) {
    yield await new Promise<never>((_, reject) => signal.addEventListener('abort', () => (abandoned.push(signal.reason), reject(signal.reason))));
  });
  const watched = fakeDriver();
  const { clock, devices } = setUp([driver, watched]);
  const listing = devices.list();
  await clock.advance(0);
  devices.close();
  t.same(names(await listing), ['Fake scanner']);
  t.match(abandoned, [{ code: 'cancelled' }]);
  watched.unplug();
  await devices.list();
  t.equal(watched.discoveries, 1, 'nothing is looked for any more');
});

t.test('a scanner is described in the interface’s words', async t => {
  const known: KnownDevice = { name: 'Desk (2)', device: device('1', 'Desk'), driver: fakeDriver() };
  t.same(describeScanner(known), { name: 'Desk (2)', manufacturer: 'M', model: 'X', isOnline: true, hasFeeder: true, hasFlatbed: false, supportsDuplex: false });
});
