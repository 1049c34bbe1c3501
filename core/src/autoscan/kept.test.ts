/** What becomes of pages that nobody has taken when auto-scan ends. */
import { fakeDriver, type FakeDriver } from '@platen/conformance';
import t from 'tap';
import { optionsWith } from '../service.test.kit.js';
import { autoscanRig, DAY, FIVE_MINUTES, smallPage } from './autoscan.test.kit.js';

const two = {
  devices: [
    { name: 'Desk', flatbed: false },
    { name: 'Hall', flatbed: false },
  ],
  page: smallPage,
};
const SHOP = 'https://shop.example';
const BANK = 'https://bank.example';
type Rig = ReturnType<typeof autoscanRig>;

/** Every end but by request and by the idle rule. */
const ends: Readonly<Record<string, (rig: Rig, driver: FakeDriver) => Promise<unknown>>> = {
  async 'three failures'({ pass }, driver) {
    driver.setPaper('loaded');
    for (let n = 0; n < 3; n++) await pass(5500);
  },
  'another scanner is opened': ({ scans }) => scans.open('Hall'),
  async 'another scanner scans'({ scans }, driver) {
    driver.load(1, 'fake-2');
    await scans.scan({ scannerName: 'Hall', options: optionsWith() }, async () => undefined).over;
  },
  'the scanner is closed': ({ scans }) => scans.closeSource(),
  async 'the device is lost'({ pass }, driver) {
    driver.unplug();
    await pass(5000);
  },
  async 'the link is lost'({ pass }, driver) {
    driver.disconnect();
    await pass();
  },
};

for (const [name, end] of Object.entries(ends)) {
  t.test(`${name}: pages that nobody took wait for the origin that enabled it, and for no other`, async t => {
    const driver = fakeDriver({ ...two, ...(name.includes('link') ? { link: { connected: true } } : {}) });
    const rig = autoscanRig(driver);
    const { enable, follow, pass, log, scans } = rig;
    await enable({}, 'Desk', SHOP);
    driver.load(3);
    await pass();
    await end(rig, driver);
    await pass();
    t.match(
      log.filter(line => line.includes('is off')),
      [/3 pages that nobody had taken wait/],
    );
    for (const stranger of [BANK, '']) t.throws(() => follow(undefined, stranger), { code: 'autoscan-off' });
    const reader = follow(undefined, SHOP);
    await reader.over;
    t.match(reader.got, ['1 front', '2 front', '3 front', /^(disabled|error): ./, 'over']);
    t.throws(() => follow(undefined, SHOP), { code: 'autoscan-off' }, 'each is given once');
    const back = follow(reader.ids[1], SHOP);
    await back.over;
    t.equal(back.got[0], '3 front', 'and again to a reader that comes back');
    await scans.close('The test is over.');
  });
}

t.test('disable discards, and says how many: to who asks, to the readers and to the log', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, pass, scans, log, follow } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  const stuck = scans.readAutoscan();
  t.match(await stuck.events.next(), { value: { kind: 'item' } });
  t.same(await scans.disableAutoscan(BANK), { wasEnabled: true, discarded: 2, waiting: 0 });
  t.match(
    await stuck.events.next(),
    { value: { kind: 'end', end: { event: 'disabled', reason: 'requested', message: / 2 pages / } } },
    'it has the one that it was at',
  );
  t.match(log.at(-1), /2 pages that nobody had taken were discarded/);
  t.throws(() => follow(undefined, SHOP), { code: 'autoscan-off' });
});

t.test(
  'the next enabling of the origin: its reader gets what waits first, with its own ids and numbers, and enable says how many',
  async t => {
    const driver = fakeDriver({ ...two, sheets: 2 });
    const { enable, follow, pass, scans, shelves } = autoscanRig(driver);
    await enable({}, 'Desk', SHOP);
    await pass();
    await scans.closeSource();
    t.same(await enable({}, 'Desk', BANK), []);
    const stranger = follow(undefined, BANK);
    driver.load(1);
    await pass();
    t.same(stranger.got, ['1 front'], 'nothing of the other one');
    await scans.closeSource();
    t.match(await enable({}, 'Desk', SHOP), [{ code: 'pages-waiting', text: /^2 pages / }]);
    const reader = follow(undefined, SHOP);
    driver.load(1);
    await pass();
    t.same(reader.got, ['1 front', '2 front', '1 front']);
    t.equal(new Set(reader.ids.map(id => id.split('-')[0])).size, 2);
    t.equal(shelves.seen.sent, 4);
    const back = follow(reader.ids[0], SHOP);
    await pass();
    t.same(back.got, ['2 front'], 'a reader of the one before goes on there');
  },
);

t.test('disable also discards what earlier ones left for who asks; while it is off, nothing', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  await scans.closeSource();
  t.same(await scans.disableAutoscan(SHOP), { wasEnabled: false, discarded: 0, waiting: 2 });
  await enable({}, 'Desk', BANK);
  t.same(await scans.disableAutoscan(BANK), { wasEnabled: true, discarded: 0, waiting: 0 });
  await enable({}, 'Desk', SHOP);
  t.same(await scans.disableAutoscan(SHOP), { wasEnabled: true, discarded: 2, waiting: 0 });
});

t.test('pages that wait in an earlier box take up room: the feeding stops until they are read', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, follow, pass, scans } = autoscanRig(driver, { outboxPages: 3 });
  await enable({}, 'Desk', SHOP);
  await pass();
  await scans.closeSource();
  t.match(await enable({}, 'Desk', SHOP), [{ code: 'pages-waiting', text: /^3 pages .*No sheet is fed/ }]);
  driver.load(4);
  await pass(1000);
  t.equal(driver.fed, 3);
  const reader = follow(undefined, SHOP);
  await pass(1000);
  await pass(1000);
  t.same(reader.got, ['1 front', '2 front', '3 front', '1 front', '2 front', '3 front', '4 front']);
});

t.test('whoever enables it while it is on may read what is left of it, too', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Desk', BANK);
  await pass();
  await scans.closeSource();
  const reader = follow(undefined, BANK);
  await reader.over;
  t.equal(reader.got[0], '1 front');
});

t.test('a reader that is behind when the device goes gets every page before the end', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  const { events } = scans.readAutoscan();
  await pass();
  t.match(await events.next(), { value: { kind: 'item' } });
  driver.unplug();
  await pass(5000);
  t.match(await events.next(), { value: { kind: 'item', item: { id: /-2$/ } } });
  t.match(await events.next(), { value: { kind: 'item', item: { id: /-3$/ } } });
  t.match(await events.next(), { value: { kind: 'end', end: { event: 'error', reason: 'device-lost' } } });
  t.match(await events.next(), { done: true });
});

t.test(
  "what nobody fetches is discarded after keptMs, whatever the computer's clock says, and the log has the number",
  async t => {
    const driver = fakeDriver({ ...two, sheets: 2 });
    const { clock, enable, follow, pass, scans, log, shelves } = autoscanRig(driver);
    await enable({}, 'Desk');
    await pass();
    await scans.closeSource();
    clock.set(0);
    await pass(DAY - FIVE_MINUTES);
    scans.readAutoscan().leave();
    await pass(FIVE_MINUTES);
    t.match(log.at(-1), /^warn: 2 pages of an auto-scan on Desk that nobody took were discarded after 24 hours/);
    t.throws(() => follow(), { code: 'autoscan-off' });
    t.match(shelves.seen, { dropped: 2, removed: 1 });
  },
);

t.test('delivered pages stay for five minutes after the end for a reader that comes back', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, follow, pass, scans, shelves } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = follow();
  await pass();
  await scans.closeSource();
  await reader.over;
  await pass(FIVE_MINUTES - 1000);
  const back = follow(reader.ids[0]);
  await back.over;
  t.equal(back.got[0], '2 front');
  await pass(FIVE_MINUTES);
  t.throws(() => follow(reader.ids[0]), { code: 'autoscan-off' });
  t.match(shelves.seen, { dropped: 2, removed: 1 });
});

t.test('a clock that is set back does not hold up the next try after a failure', async t => {
  const driver = fakeDriver({ ...two, sheets: 9, faults: { 1: 'paper-jam' } });
  const { clock, enable, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass();
  t.equal(driver.scans, 1);
  clock.set(0);
  for (let half = 0; half < 14; half++) await pass(500);
  t.equal(driver.scans, 2);
});

t.test('a reader that comes while it is ending gets the pages in the path, and the end', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  driver.hold();
  await enable({}, 'Desk');
  await pass();
  const closing = scans.closeSource();
  await pass();
  const reader = follow();
  driver.release();
  await closing;
  await reader.over;
  t.match(reader.got, ['1 front', 'disabled: scanner-closed', 'over']);
});

t.test(
  'a page that a reader says it had is not given to it again, although nothing else of that auto-scan is left',
  async t => {
    const driver = fakeDriver({ ...two, sheets: 1 });
    const { enable, follow, pass, scans, shelves } = autoscanRig(driver);
    await enable({}, 'Desk', SHOP);
    const { events } = scans.readAutoscan(undefined, SHOP);
    await pass();
    const { value } = await events.next();
    const had = value?.kind === 'item' ? value.item.id : '';
    // The connection is lost when the page is out, and before anybody knows.
    await events.return();
    await scans.closeSource();
    await enable({}, 'Desk', SHOP);
    const reader = follow(had, SHOP);
    driver.load(1);
    await pass();
    t.same(reader.got, ['1 front'], 'of the new one');
    const again = follow(reader.ids[0], SHOP);
    await pass();
    t.same(again.got, []);
    await pass(FIVE_MINUTES);
    t.equal(shelves.seen.removed, 1, 'and the box goes, too');
  },
);
