/** The scanners of all drivers: unique, stable names, found by name without asking a driver. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { describeScanner, FIRST_WAIT_MS, LIST_WAIT_MS, type KnownDevice } from './devices.js';
import { device, fake, fixedDriver, gates, names, setUp, silentDriver, steppedDriver } from './devices.test.kit.js';
import { FRESH_MS, SLOW_MS, WATCHED_FRESH_MS } from './listing.js';

t.test('names: two alike, the one of the later plugin gets a suffix', async t => {
  const { devices } = setUp([fake('a', 'Desk', 'Desk'), fake('b', 'Hall', 'Desk', 'Desk (2)')]);
  const all = await devices.list();
  t.same(names(all), ['Desk', 'Desk (2)', 'Hall', 'Desk (3)', 'Desk (2) (2)']);
  t.equal((await devices.find('Desk (3)')).device.id, 'b-1');
});

t.test('listed: the known scanners, and no driver searches however old its last search is', async t => {
  const driver = fixedDriver('a', () => [device('1', 'Desk')]);
  const { clock, devices } = setUp([driver]);
  t.same(names(devices.listed()), []);
  t.same(names(await devices.list()), ['Desk']);
  const { asked } = driver;
  await clock.advance(10 * FRESH_MS);
  t.same(names(devices.listed()), ['Desk']);
  t.equal(driver.asked, asked);
});

t.test('names: a suffix, stays with its scanner in later listings of any order', async t => {
  const gate = gates();
  let order = ['1', '2'];
  let held = false;
  const driver = steppedDriver('a', async function* () {
    for (const id of order) {
      if (held) await gate.pass();
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
  gate.open();
  await clock.advance(LIST_WAIT_MS);
  t.same(ids(await listing), { Desk: '1', 'Desk (2)': '2' }, 'only the second one has been found again so far');
  gate.open();
  await clock.advance(0);
  t.same(ids(await devices.list()), { Desk: '1', 'Desk (2)': '2' }, 'complete, in another order');
});

t.test('find: known scanner, no driver is asked, even while another one is silent', async t => {
  const silent = silentDriver('silent');
  const desk = fake('a', 'Desk');
  const { clock, devices } = setUp([silent, desk]);
  const first = devices.list();
  await clock.advance(FIRST_WAIT_MS);
  t.same(names(await first), ['Desk']);
  await clock.advance(WATCHED_FRESH_MS);
  const { discoveries } = desk;
  t.equal((await devices.find('Desk')).device.id, 'a-0', 'without a tick of the clock');
  t.same([desk.discoveries, silent.asked], [discoveries, 1]);
  t.same(names(devices.known()), ['Desk']);
});

t.test('find: unknown name, waits for one discovery and not for slow drivers', async t => {
  const gate = gates();
  const late = steppedDriver('late', async function* () {
    await gate.pass();
    yield device('Hall');
    await new Promise(() => {});
  });
  const { clock, devices } = setUp([late, fake('a', 'Desk')]);
  const finding = devices.find('Hall');
  await clock.advance(2 * LIST_WAIT_MS);
  gate.open();
  t.match(await finding, { name: 'Hall' });
  const missing = t.rejects(devices.find('Loft'), { code: 'device-not-found' });
  await clock.advance(SLOW_MS);
  await missing;
  await t.rejects(devices.find('Loft'), { code: 'device-not-found' }, 'without a tick of the clock');
});

t.test('look: waits for complete discoveries, or until the caller has enough', async t => {
  const gate = gates();
  const slow = steppedDriver('slow', async function* () {
    yield device('1');
    await gate.pass();
    yield device('2');
  });
  const { clock, devices } = setUp([slow]);
  t.same(names(await devices.look(found => found.length > 0)), ['1']);
  const whole = devices.look();
  await clock.advance(2 * SLOW_MS);
  gate.open();
  t.same(names(await whole), ['1', '2']);
});

t.test('list: two drivers list the same scanner, the earlier one wins and the other name leads to it', async t => {
  const listing = (id: string, name: string, ...identities: string[]) =>
    fixedDriver(id, () => [{ ...device(`${id}-1`, name), identities }, device(`${id}-2`, 'Desk')]);
  const { devices } = setUp([
    listing('escl', 'Hall', 'uuid:1', 'net:5/Hall'),
    listing('sane', 'eSCL Hall', 'net:5/Hall'),
  ]);
  t.same(names(await devices.list()), ['Hall', 'Desk', 'Desk (2)']);
  t.equal((await devices.find('eSCL Hall')).device.id, 'escl-1');
  const offline = fixedDriver('escl', () => [
    { ...device('escl-1', 'Hall'), online: false, identities: ['net:5/Hall'] },
  ]);
  const one = setUp([offline, listing('sane', 'eSCL Hall', 'net:5/Hall')]);
  t.match(
    await one.devices.list(),
    [{ name: 'Hall', device: { id: 'sane-1', online: true } }, { name: 'Desk' }],
    'only the later driver has it online: its entry',
  );
  for (const name of ['Hall', 'eSCL Hall']) t.equal((await one.devices.find(name)).device.id, 'sane-1', name);
  const same = setUp([
    fixedDriver('a', () => [
      { ...device('1', 'Hall'), identities: ['uuid:1'] },
      { ...device('2', 'Loft'), identities: ['uuid:1'] },
    ]),
  ]);
  t.same(names(await same.devices.list()), ['Hall', 'Loft'], 'two devices of one driver stay two');
});

t.test('find: a scanner that did not open, discovered again', async t => {
  let id = 'usb:1';
  const driver = fixedDriver('a', () => [device(id, 'Desk')]);
  const { devices } = setUp([driver]);
  const known = await devices.find('Desk');
  id = 'usb:2';
  t.match(await devices.again(known), { name: 'Desk', device: { id: 'usb:2' } });
});

t.test('list: a scanner that is gone, not listed', async t => {
  let list = ['1', '2'];
  const driver = fixedDriver('a', () => list.map(id => device(id)));
  const { clock, devices } = setUp([driver]);
  await devices.list();
  list = ['2'];
  await clock.advance(FRESH_MS);
  t.same(names(await devices.list()), ['2']);
});

t.test('link: down, nothing is listed or found', async t => {
  const linked = fakeDriver({ link: { connected: false } });
  const { devices } = setUp([fake('a', 'Desk'), linked]);
  const refused = { code: 'not-connected', message: /^The desktop application is not connected/ };
  t.throws(() => devices.assertConnected(), refused);
  t.throws(
    () =>
      setUp([
        { ...linked, link: { ...linked.link!, peer: undefined, trouble: 'It is too old.' } },
      ]).devices.assertConnected(),
    { message: /connected\. It is too old\.$/ },
  );
  await t.rejects(devices.list(), refused);
  await t.rejects(devices.find('Desk'), refused);
  linked.connect();
  t.same(names(await devices.list()), ['Desk', 'Fake scanner']);
});

t.test('find: no such scanner, the error names those that exist', async t => {
  await t.rejects(setUp([fake('a', 'Desk', 'Hall')]).devices.find('desk'), {
    code: 'device-not-found',
    message: 'There is no scanner named "desk". This computer has "Desk", "Hall".',
  });
  await t.rejects(setUp([]).devices.find('Desk'), {
    code: 'device-not-found',
    message: /This computer has none\./,
  });
});

t.test('list: a scanner, described in the interface’s terms', async t => {
  const known: KnownDevice = { name: 'Desk (2)', device: device('1', 'Desk'), driver: fakeDriver() };
  t.same(describeScanner(known), {
    name: 'Desk (2)',
    manufacturer: 'M',
    model: 'X',
    isOnline: true,
    hasFeeder: true,
    hasFlatbed: false,
    supportsDuplex: false,
  });
});
