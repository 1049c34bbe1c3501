/** Discovery: how long calls wait for it, and what happens with a slow or failing driver. */
import { fakeClock, fakeDriver } from '@platen/conformance';
import t from 'tap';
import { FIRST_WAIT_MS, LIST_WAIT_MS, type KnownDevice } from './devices.js';
import { device, fake, fixedDriver, gates, names, setUp, silentDriver, steppedDriver } from './devices.test.kit.js';
import { FRESH_MS, SLOW_MS, WATCHED_FRESH_MS } from './listing.js';

t.test('list: the first one, waits until each driver has looked, 1 s at most; the rest comes later', async t => {
  const [quick, slow] = [gates(), gates()];
  const quickDriver = steppedDriver('quick', async function* () {
    await quick.pass();
    yield device('Quick');
  });
  const slowDriver = steppedDriver('slow', async function* () {
    yield device('early');
    await slow.pass();
    yield device('late');
  });
  const { clock, devices } = setUp([slowDriver, quickDriver]);
  devices.start();
  await clock.advance(LIST_WAIT_MS);
  let listed: readonly KnownDevice[] | undefined;
  const listing = devices.list().then(all => (listed = all));
  await clock.advance(LIST_WAIT_MS);
  quick.open();
  await clock.advance(FIRST_WAIT_MS - 2 * LIST_WAIT_MS - 1);
  t.equal(listed, undefined);
  await clock.advance(1);
  t.same(names(await listing), ['early', 'Quick']);
  slow.open();
  await clock.advance(0);
  t.same(names(await devices.list()), ['early', 'late', 'Quick']);
  t.equal(slowDriver.asked, 1, 'one discovery served all lists');

  const both = setUp([fake('a', 'A'), quickDriver]);
  const ended = both.devices.list();
  await both.clock.advance(0);
  quick.open();
  t.same(names(await ended), ['A', 'Quick'], 'without a tick of the clock');
});

t.test('list: a later one, waits 250 ms for a running discovery', async t => {
  const gate = gates();
  let round = 0;
  const slow = steppedDriver('slow', async function* () {
    yield device('early');
    if (++round > 1) await gate.pass();
    yield device('late');
  });
  const { clock, devices } = setUp([slow]);
  await devices.list();
  await clock.advance(FIRST_WAIT_MS);
  let listed: readonly KnownDevice[] | undefined;
  const listing = devices.list().then(all => (listed = all));
  await clock.advance(LIST_WAIT_MS - 1);
  t.equal(listed, undefined);
  await clock.advance(1);
  t.same(names(await listing), ['early', 'late']);
});

t.test('list: no scanner is known, waits for the first one, and one discovery at most', async t => {
  const gate = gates();
  const slow = steppedDriver('slow', async function* () {
    await gate.pass();
    yield device('found');
    await new Promise(() => {});
  });
  const { clock, devices } = setUp([slow]);
  const listing = devices.list();
  await clock.advance(2 * FIRST_WAIT_MS);
  gate.open();
  await clock.advance(0);
  t.same(names(await listing), ['found'], 'although the discovery continues');

  const never = silentDriver('never');
  const more = setUp([never]);
  const empty = more.devices.list();
  await more.clock.advance(SLOW_MS);
  t.same(names(await empty), []);
  t.same(names(await more.devices.list()), [], 'later calls do not wait for it');
  t.same(more.devices.slow(), ['never']);
  t.match(more.warnings, [/^The driver never /], 'which is logged, once');
});

t.test('discovery: never ends and ignores its signal, abandoned; the driver is asked again', async t => {
  let calls = 0;
  const driver = steppedDriver('deaf', async function* () {
    if (++calls === 1) await new Promise(() => {});
    yield device('found');
  });
  const { clock, devices, warnings } = setUp([driver]);
  const first = devices.list();
  await clock.advance(SLOW_MS);
  t.same(names(await first), []);
  await clock.advance(30_000);
  t.match(warnings, [
    /^The driver deaf /,
    /^The driver deaf could not list all of its scanners: .*took longer than 30 s/,
  ]);
  const again = devices.list();
  await clock.advance(LIST_WAIT_MS);
  t.same(names(await again), ['found']);
  t.same(devices.slow(), [], 'a discovery that ends in time');
});

t.test('discovery: abandoned, its late devices are ignored', async t => {
  let late = (): void => undefined;
  let calls = 0;
  const driver = steppedDriver('late', async function* () {
    if (++calls > 1) return;
    await new Promise<void>(resolve => (late = resolve));
    yield device('ghost');
  });
  const { clock, devices } = setUp([driver]);
  void devices.list();
  await clock.advance(SLOW_MS + 30_000);
  const listing = devices.list();
  late();
  await clock.advance(LIST_WAIT_MS);
  t.same(names(await listing), []);
  t.same(names(await devices.list()), []);
});

t.test('list: the system clock is set back, a scanner that is gone is not listed', async t => {
  let list = ['1', '2'];
  const driver = fixedDriver('a', () => list.map(id => device(id)));
  const clock = fakeClock();
  let wall = clock.now();
  const { devices } = setUp([driver], undefined, { ...clock, now: () => wall });
  await devices.list();
  list = ['2'];
  wall -= 3_600_000;
  await clock.advance(FRESH_MS);
  t.same(names(await devices.list()), ['2']);
});

t.test('discovery: the driver throws, logged; its known scanners and the other drivers’ stay listed', async t => {
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
  t.same(warnings, ['The driver rude could not list all of its scanners: not even a generator']);
  t.same(devices.failures(), [{ driver: 'rude', message: 'not even a generator' }]);
  broken = true;
  await clock.advance(FRESH_MS);
  t.same(names(await devices.list()), ['one', 'two', 'Good']);
  t.ok(warnings.includes('The driver moody could not list all of its scanners: the bus is gone'));
  const { length } = warnings;
  await clock.advance(FRESH_MS);
  await devices.list();
  t.equal(warnings.length, length, 'the same repeated failure is logged once');
});

t.test(
  'discovery: each one leaves out scanners, slow only while it is late, and not repeated while recent',
  async t => {
    const gate = gates();
    const driver = steppedDriver('partial', async function* () {
      yield device('one');
      if (driver.asked === 1) await gate.pass();
      throw new Error('a backend is left out');
    });
    const memory = { remembered: new Map([['partial', [device('left')]]]), keep: () => undefined };
    const { clock, devices } = setUp([driver], memory);
    const first = devices.look();
    await clock.advance(SLOW_MS);
    gate.open();
    await first;
    t.same(devices.slow(), ['partial'], 'the first one hung for a while');
    await clock.advance(FRESH_MS - 1);
    await devices.list();
    t.equal(driver.asked, 1, 'a recent one is not repeated, although it failed');
    await clock.advance(1);
    await devices.look();
    t.same(devices.slow(), []);
    t.same(devices.failures(), [{ driver: 'partial', message: 'a backend is left out' }]);
    const online = devices.known().map(each => [each.name, each.device.online]);
    t.same(
      online,
      [
        ['left', false],
        ['one', true],
      ],
      'a scanner that it leaves out is offline, not removed',
    );
    await devices.list();
    t.equal(driver.asked, 2);
  },
);

t.test('watch: the driver cannot watch, its scanners are still listed', async t => {
  const driver = fakeDriver();
  driver.watch = () => {
    throw new Error('no hot plug here');
  };
  const { devices, warnings } = setUp([driver]);
  t.same(names(await devices.list()), ['Fake scanner']);
  t.same(warnings, ['The driver fake could not watch for scanners: no hot plug here']);
});

t.test(
  'discovery: recent, not repeated unless the driver announced a change; a driver that watches is asked less often',
  async t => {
    const driver = fakeDriver();
    const other = fixedDriver('other', () => [device('1')]);
    const { clock, devices } = setUp([driver, other]);
    await Promise.all([devices.list(), devices.list()]);
    t.same([driver.discoveries, other.asked], [1, 1], 'lists share a discovery');
    await clock.advance(FRESH_MS - 1);
    await devices.list();
    t.same([driver.discoveries, other.asked], [1, 1]);
    driver.unplug();
    t.match(await devices.list(), [{ device: { online: false } }, {}]);
    t.same([driver.discoveries, other.asked], [2, 1]);
    await clock.advance(1);
    await devices.list();
    t.same([driver.discoveries, other.asked], [2, 2]);
    await clock.advance(WATCHED_FRESH_MS);
    await devices.list();
    t.same([driver.discoveries, other.asked], [3, 3]);
  },
);

t.test('watch: a change, discovered at once', async t => {
  const driver = fakeDriver();
  const { clock, devices } = setUp([driver]);
  devices.start();
  await clock.advance(FRESH_MS);
  driver.unplug();
  await clock.advance(0);
  t.equal(driver.discoveries, 2);
  t.match(devices.known(), [{ device: { online: false } }]);
});

t.test('watch: a change during a discovery, the next list discovers again', async t => {
  const driver = fakeDriver({ discovery: 'held' });
  const { clock, devices } = setUp([driver]);
  const first = devices.list();
  await clock.advance(0);
  driver.unplug();
  t.equal(driver.discoveries, 1);
  driver.discover();
  await first;
  await devices.list();
  t.equal(driver.discoveries, 2);
});

t.test('discovery: the driver scans, a running discovery is abandoned and the known scanners are listed', async t => {
  const [driver, other] = [fakeDriver(), fake('other', 'Other')];
  const { clock, devices, warnings } = setUp([driver, other]);
  await devices.list();
  await clock.advance(WATCHED_FRESH_MS);
  const [first, second] = [devices.hold(driver), devices.hold(driver)];
  t.same(names(await devices.list()), ['Fake scanner', 'Other']);
  t.equal(driver.discoveries, 1);
  t.equal(other.discoveries, 2, 'the other driver is asked');
  first();
  first();
  await clock.advance(WATCHED_FRESH_MS);
  await devices.list();
  t.equal(driver.discoveries, 1, 'one hold is left, and ending the other one twice counts once');
  second();
  await clock.advance(WATCHED_FRESH_MS);
  await devices.list();
  t.equal(driver.discoveries, 2);

  const slow = fakeDriver({ discovery: 'held' });
  const more = setUp([slow]);
  const listing = more.devices.list();
  await more.clock.advance(0);
  more.devices.hold(slow);
  t.same(names(await listing), [], 'without waiting for the deadline');
  t.same([...warnings, ...more.warnings], [], 'which is not a warning');
});

t.test('close: ends the watch and abandons running discoveries', async t => {
  const abandoned: unknown[] = [];
  const driver = steppedDriver('a', async function* ({ signal }) {
    yield await new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => (abandoned.push(signal.reason), reject(signal.reason))),
    );
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
  t.equal(watched.discoveries, 1, 'discovery has ended');
});
