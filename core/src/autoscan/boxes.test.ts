/** Pages that no reader took before auto-scan ended. */
import { fakeDriver, type FakeDriver } from '@platen/conformance';
import t from 'tap';
import { durablePages } from '../kept/durablePages.test.kit.js';

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

/** Every end except by request and for idleness. */
const ends: Readonly<Record<string, (rig: Rig, driver: FakeDriver) => Promise<unknown>>> = {
  async 'three failures'({ pass }, driver) {
    driver.setPaper('loaded');
    for (let n = 0; n < 3; n++) await pass(5500);
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
  t.test(`${name}: pages that no reader took, kept for the origin that enabled it only`, async t => {
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
      [/3 pages .* wait/],
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

t.test('disable: pages are undelivered, discarded; caller, readers and log get the number', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, pass, scans, log, follow } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  const stuck = scans.readAutoscan();
  t.match(await stuck.events.next(), { value: { kind: 'item' } });
  t.same(await scans.disableAutoscan(BANK), { wasEnabled: true, discarded: 2 });
  t.match(
    await stuck.events.next(),
    { value: { kind: 'end', end: { event: 'disabled', reason: 'requested', message: / 2 pages / } } },
    'it finishes its current page',
  );
  t.match(log.at(-1), /2 pages .* discarded/);
  t.throws(() => follow(undefined, SHOP), { code: 'autoscan-off' });
});

t.test(
  'enable: pages of an earlier auto-scan wait, they come first, a note has how many, and numbers go on',
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
    t.same(reader.got, ['1 front', '2 front', '3 front']);
    t.equal(new Set(reader.ids.map(id => id.split('-')[0])).size, 2);
    t.equal(shelves.seen.sent, 4);
    const back = follow(reader.ids[0], SHOP);
    await pass();
    t.same(back.got, ['2 front'], 'a reader of the earlier one continues there');
  },
);

t.test('kept pages: the clock was ahead during the first auto-scan, they come in the order of scanning', async t => {
  const disk = durablePages();
  const run = async (now: number) => {
    const driver = fakeDriver({ ...two, sheets: 2 });
    const rig = autoscanRig(driver, { store: disk.store(), now });
    await rig.scans.ready();
    return rig;
  };
  const scanTwo = async ({ enable, pass, scans }: Awaited<ReturnType<typeof run>>) => {
    await enable({}, 'Desk', SHOP);
    await pass();
    await scans.close('The service stops.');
  };
  await scanTwo(await run(100 * DAY));
  await scanTwo(await run(50 * DAY));
  const { follow, scans } = await run(50 * DAY + 1000);
  const reader = follow(undefined, SHOP);
  await reader.over;
  t.same(reader.got.slice(0, 4), ['1 front', '2 front', '3 front', '4 front']);
  await scans.close('The test is over.');
});

t.test('enable: of two origins, numbers go on after the pages that wait for either', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  await scans.closeSource();
  await enable({}, 'Desk', BANK);
  const early = follow(undefined, BANK);
  await pass();
  await enable({}, 'Desk', SHOP);
  driver.load(1);
  await pass();
  t.same(early.got, ['3 front'], 'without a gap');
  const reader = follow(undefined, SHOP);
  await pass();
  t.same(reader.got, ['1 front', '2 front']);
});

t.test('disable: discards earlier pages of the caller’s origin only, also while off', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  await scans.closeSource();
  t.same(await scans.disableAutoscan(BANK), { wasEnabled: false, discarded: 0 });
  await enable({}, 'Desk', BANK);
  t.same(await scans.disableAutoscan(BANK), { wasEnabled: true, discarded: 0 });
  const stuck = scans.readAutoscan(SHOP);
  t.same(await scans.disableAutoscan(SHOP), { wasEnabled: false, discarded: 2 });
  t.match(await stuck.events.next(), { value: { kind: 'end', end: { event: 'disabled', reason: 'scanner-closed' } } });
  t.throws(() => scans.readAutoscan(SHOP), { code: 'autoscan-off' });
  t.same(await enable({}, 'Desk', SHOP), []);
});

t.test('room: pages wait in an earlier box, they count; feeding stops until they are read', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, follow, pass, scans } = autoscanRig(driver, { outboxPages: 3 });
  await enable({}, 'Desk', SHOP);
  await pass();
  await scans.closeSource();
  t.match(await enable({}, 'Desk', SHOP), [{ code: 'pages-waiting', text: /^3 pages .*Feeding/ }]);
  driver.load(4);
  await pass(1000);
  t.equal(driver.fed, 3);
  const reader = follow(undefined, SHOP);
  await pass(1000);
  await pass(1000);
  t.same(reader.got, ['1 front', '2 front', '3 front', '4 front', '5 front', '6 front', '7 front']);
});

t.test('kept pages: another origin enables it while on, that origin may read them too', async t => {
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

t.test('device: lost while a reader is behind, the reader gets every page before the end', async t => {
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
  'kept pages: no reader within keptMs, discarded and logged with their number, whatever the system clock says',
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
    t.match(log.at(-1), /^warn: An auto-scan on Desk .* discarded after 24 hours: 2 /);
    t.throws(() => follow(), { code: 'autoscan-off' });
    t.match(shelves.seen, { dropped: 2, removed: 1 });
  },
);

t.test('kept pages: delivered ones, stay for 5 min after the end for a reader that reconnects', async t => {
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

t.test('retry after a failure: the system clock is set back, not delayed', async t => {
  const driver = fakeDriver({ ...two, sheets: 9, faults: { 1: 'paper-jam' } });
  const { clock, enable, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass();
  t.equal(driver.scans, 1);
  clock.set(0);
  for (let half = 0; half < 14; half++) await pass(500);
  t.equal(driver.scans, 2);
});

t.test('read: auto-scan is ending, the reader gets the pages in the path and the end', async t => {
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

t.test('kept pages: nobody reads for idleMs while it ends for another reason, they are kept', async t => {
  const driver = fakeDriver({ ...two, sheets: 3 });
  const { enable, follow, pass, scans } = autoscanRig(driver, { idleMs: 5000 });
  await enable({}, 'Desk', SHOP);
  await pass();
  driver.load(1);
  driver.hold();
  await pass(1000);
  const closing = scans.closeSource();
  await pass(6000);
  driver.release();
  await closing;
  const reader = follow(undefined, SHOP);
  await reader.over;
  t.same(reader.got, ['1 front', '2 front', '3 front', '4 front', 'disabled: scanner-closed', 'over']);
});

t.test('Last-Event-ID: of a page that waits as the last one, it is not given again', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, follow, pass, scans, shelves } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  const { events } = scans.readAutoscan(SHOP);
  await pass();
  const { value } = await events.next();
  const had = value?.kind === 'item' ? value.item.id : '';
  // The connection is lost after the page was sent, before the service notices.
  await events.return();
  await scans.closeSource();
  await enable({}, 'Desk', SHOP);
  const reader = follow(had, SHOP);
  driver.load(1);
  await pass();
  t.same(reader.got, ['2 front'], 'of the new auto-scan');
  const again = follow(reader.ids[0], SHOP);
  await pass();
  t.same(again.got, []);
  await pass(FIVE_MINUTES);
  t.equal(shelves.seen.removed, 1, 'and the box goes, too');
});

t.test('Last-Event-ID: nothing is left for its reader, refused; what it confirms does not come again', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  const { events } = scans.readAutoscan(SHOP);
  await pass();
  const { value } = await events.next();
  await events.return();
  await scans.closeSource();
  const had = value?.kind === 'item' ? value.item.id : '';
  t.throws(() => follow(had, SHOP), { code: 'autoscan-off' });
  t.throws(() => follow(undefined, SHOP), { code: 'autoscan-off' });
});

t.test('Last-Event-ID: of another origin, of an auto-scan that is over, it confirms nothing', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', BANK);
  const { events } = scans.readAutoscan(SHOP);
  await pass();
  const { value } = await events.next();
  await events.return();
  await scans.closeSource();
  const had = value?.kind === 'item' ? value.item.id : '';
  t.throws(() => follow(had, SHOP), { code: 'autoscan-off' });
  const owner = follow(undefined, BANK);
  await owner.over;
  t.equal(owner.got[0], '1 front');
});
