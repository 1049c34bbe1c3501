/** Auto-scan on several scanners at the same time: whose pages a stream has, their numbers, and how each ends. */
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import t from 'tap';
import { durablePages } from '../kept/durablePages.test.kit.js';
import { inFront } from '../service.test.kit.js';
import { autoscanRig, smallPage } from './autoscan.test.kit.js';

const [SHOP, BANK] = ['https://shop.example', 'https://bank.example'];
const three: FakeDriverOptions = {
  devices: ['Desk', 'Hall', 'Till'].map(name => ({ name, flatbed: false })),
  page: smallPage,
};
const [DESK, HALL] = ['fake-1', 'fake-2'];

t.test('enable: on a second scanner, one stream has the pages of both, each number once and in order', async t => {
  const driver = fakeDriver(three);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  const reader = follow(undefined, SHOP);
  driver.load(1, DESK);
  await pass();
  await enable({}, 'Hall', SHOP);
  driver.load(2, HALL);
  driver.load(2, DESK);
  await pass();
  t.equal(reader.got.length, 5);
  t.same(
    reader.pages.map(({ pageNumber }) => pageNumber),
    [1, 2, 3, 4, 5],
  );
  t.equal(new Set(reader.ids.map(id => id.split('-')[0])).size, 1, 'one series');
  t.match(scans.load(), { isAutoscanOn: true });
  t.equal(scans.openName(), 'Hall', 'the last that was opened');
  await scans.disableAutoscan(SHOP);
  await reader.over;
  t.same([driver.remaining(DESK), driver.remaining(HALL), driver.opened - driver.closed], [0, 0, 1]);
});

t.test('read: a named scanner, its pages only', async t => {
  const driver = fakeDriver(three);
  const { enable, follow, pass } = autoscanRig(driver);
  for (const name of ['Desk', 'Hall']) await enable({}, name, SHOP);
  driver.load(1, DESK);
  driver.load(2, HALL);
  await pass();
  const hall = follow(undefined, SHOP, 'Hall');
  await pass();
  t.equal(hall.got.length, 2);
  hall.leave();
  const both = follow(hall.ids[1], SHOP);
  await pass();
  t.equal(both.got.length, 1, 'what came with lower numbers is not taken for read');
  t.notOk(hall.pages.some(({ pageNumber }) => pageNumber === both.pages[0]?.pageNumber));
});

t.test('disable: by a page, its own only; by a program or a stranger, all; by name, that one', async t => {
  const driver = fakeDriver(three);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Hall', BANK);
  const [shop, bank] = [follow(undefined, SHOP), follow(undefined, BANK)];
  t.match(await scans.disableAutoscan(SHOP), { wasEnabled: true });
  await shop.over;
  t.match(shop.got, ['disabled: requested', 'over']);
  driver.load(1, HALL);
  await pass();
  t.same(bank.got, ['1 front'], 'it goes on');
  t.same(
    bank.pages.map(({ pageNumber }) => pageNumber),
    [1],
    'numbered by itself',
  );
  await enable({}, 'Desk', BANK);
  t.match(await scans.disableAutoscan(BANK, 'Till'), { wasEnabled: false });
  t.match(await scans.disableAutoscan(BANK, 'Desk'), { wasEnabled: true });
  t.ok(scans.isAutoscanOf(BANK, 'Hall'));
  t.notOk(scans.isAutoscanOf(BANK, 'Desk'));
  await enable({}, 'Till', SHOP);
  t.match(await scans.disableAutoscan(), { wasEnabled: true });
  t.match(scans.load(), { isAutoscanOn: false });
});

t.test('read: who enabled none, the pages of all that it may read', async t => {
  const driver = fakeDriver(three);
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Hall', SHOP);
  const reader = scans.readAutoscan(BANK, { mayRead: name => name === 'Hall' });
  t.throws(() => scans.readAutoscan(BANK, { mayRead: () => false }), { code: 'autoscan-off' });
  driver.load(1, DESK);
  driver.load(1, HALL);
  await pass();
  t.match((await reader.events.next()).value, { kind: 'item', item: { value: { page: { sheet: 1 } } } });
  const more = reader.events.next();
  reader.leave();
  t.match(await more, { done: true });
  t.match(scans.load(), { autoscanPages: 1 }, 'the page of the desk waits');
});

t.test(
  'a scanner is lost: the stream ends and says so; a new one goes on with the other, and no page is lost',
  async t => {
    const driver = fakeDriver(three);
    const { enable, follow, pass } = autoscanRig(driver);
    await enable({}, 'Desk', SHOP);
    await enable({}, 'Hall', SHOP);
    const reader = follow(undefined, SHOP);
    driver.load(2, DESK);
    driver.load(1, HALL);
    await pass();
    driver.unplug(DESK);
    await pass(5000);
    await reader.over;
    t.match(reader.got.slice(3), ['error: device-lost', 'over']);
    driver.load(2, HALL);
    await pass();
    const again = follow(reader.ids.at(-1), SHOP);
    await pass();
    t.same(
      [...reader.pages, ...again.pages].map(({ pageNumber }) => pageNumber),
      [1, 2, 3, 4, 5],
    );
  },
);

t.test('a page that is stored slowly: those of another scanner that have higher numbers come after it', async t => {
  const driver = fakeDriver(three);
  let store = (): void => undefined;
  const slow = new Promise<void>(resolve => (store = resolve));
  const rig = autoscanRig(driver);
  const create = rig.shelves.store.create.bind(rig.shelves.store);
  let boxes = 0;
  Object.assign(rig.shelves.store, {
    create: (facts: Parameters<typeof create>[0]) => {
      const made = create(facts);
      if (boxes++ > 0) return made;
      return {
        ...made,
        facts: made.facts,
        keep: async (...page: Parameters<typeof made.keep>) => (await slow, made.keep(...page)),
      };
    },
  });
  await rig.enable({}, 'Desk', SHOP);
  await rig.enable({}, 'Hall', SHOP);
  const reader = rig.follow(undefined, SHOP);
  driver.load(1, DESK);
  await rig.pass();
  driver.load(1, HALL);
  await rig.pass();
  t.same(reader.got, []);
  store();
  await rig.pass();
  t.same(reader.got, ['1 front', '2 front']);
});

t.test('kept: pages that nobody took, a scan of each scanner', async t => {
  const driver = fakeDriver(three);
  const { enable, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Hall', SHOP);
  driver.load(2, DESK);
  driver.load(1, HALL);
  await pass();
  driver.unplug(DESK);
  driver.unplug(HALL);
  await pass(5000);
  const kept = scans.kept.list(SHOP).map(({ scannerName, pages }) => [scannerName, pages.length]);
  t.same(kept.sort(), [
    ['Desk', 2],
    ['Hall', 1],
  ]);
});

t.test('enable: what two pages share cannot be had together with another scanner, busy', async t => {
  const { enable, follow, pass, scans } = autoscanRig(fakeDriver(three));
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Desk', BANK);
  const shared = { code: 'busy', message: /Desk/ };
  await t.rejects(enable({}, 'Hall', BANK), shared);
  t.ok(scans.isAutoscanOf(BANK, 'Desk'));
  await scans.disableAutoscan();
  await enable({}, 'Hall', BANK);
  await enable({}, 'Till', BANK);
  await t.rejects(enable({}, 'Till', SHOP), { code: 'busy' }, 'it has another one, too');
  await enable({}, 'Desk', SHOP);
  await t.rejects(enable({}, 'Hall', SHOP), { code: 'busy' }, 'and so have they');
  const reader = follow(undefined, 'https://club.example');
  await scans.disableAutoscan(SHOP);
  await pass();
  t.match(reader.got, [/^disabled/, 'over'], 'a stranger has the last series');
});

t.test('enable: on two scanners at once, each is on where it was asked for', async t => {
  const driver = fakeDriver(three);
  const { enable, pass, scans } = autoscanRig(driver);
  const both = Promise.all([enable({}, 'Desk', SHOP), enable({}, 'Hall', BANK)]);
  await pass();
  await both;
  t.same(
    [scans.isAutoscanOf(SHOP, 'Desk'), scans.isAutoscanOf(BANK, 'Hall'), scans.isAutoscanOf(SHOP, 'Hall')],
    [true, true, false],
  );
  driver.load(1, DESK);
  driver.load(1, HALL);
  await pass();
  t.match(scans.load(), { autoscanPages: 2 });
  await scans.disableAutoscan();
  t.equal(driver.opened - driver.closed, 1, 'the last one stays open');
});

t.test('read: an open stream joins what its page enables later, also while its client takes its time', async t => {
  const driver = fakeDriver(three);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  const slow = scans.readAutoscan(SHOP);
  driver.load(1, DESK);
  await pass();
  t.match((await slow.events.next()).value, { kind: 'item', item: { value: { page: { pageNumber: 1 } } } });
  await enable({}, 'Hall', SHOP);
  const quick = follow(undefined, SHOP);
  driver.load(1, HALL);
  driver.load(1, DESK);
  await pass();
  t.ok(quick.got.length >= 2);
  const numbers = [];
  for (let count = 0; count < 2; count++) {
    const { value } = await slow.events.next();
    if (value?.kind === 'item') numbers.push(value.item.value.page.pageNumber);
  }
  t.same(numbers, [2, 3], 'what another stream took meanwhile, too');
  slow.leave();
});

t.test(
  'read: an open stream has a running auto-scan that its page joins, and no page of one that it has to leave',
  async t => {
    const driver = fakeDriver(three);
    const { enable, follow, pass, scans } = autoscanRig(driver);
    await enable({}, 'Desk', BANK);
    const stranger = follow(undefined, SHOP);
    await enable({}, 'Desk', SHOP);
    driver.load(1, DESK);
    await pass();
    t.same(stranger.got, ['1 front']);
    const own = follow(stranger.ids[0], SHOP);
    await scans.withdrawAutoscan(SHOP, 'Desk');
    driver.load(1, DESK);
    await pass();
    t.same(own.got, ['over'], 'it is the other page’s now');
  },
);

t.test('closeSource: several are on, ends the one on the open scanner', async t => {
  const driver = fakeDriver(three);
  const { enable, pass, scans } = autoscanRig(driver);
  for (const name of ['Desk', 'Hall', 'Till']) await enable({}, name, SHOP);
  t.equal(await scans.closeSource(SHOP), true);
  await pass();
  t.same(
    ['Desk', 'Hall', 'Till'].map(name => scans.isAutoscanOf(SHOP, name)),
    [true, true, false],
  );
  await t.rejects(scans.open('Till'), { code: 'busy' }, 'auto-scan is on elsewhere');
});

t.test(
  'enable: by a page whose own waiting pages have higher numbers, the running ones go on without a gap',
  async t => {
    const driver = fakeDriver(three);
    const { enable, follow, pass, scans } = autoscanRig(driver);
    await enable({}, 'Hall', BANK);
    driver.load(4, HALL);
    await pass();
    driver.unplug(HALL);
    await pass(5000);
    await enable({}, 'Desk', SHOP);
    driver.load(2, DESK);
    await pass();
    await enable({}, 'Desk', BANK);
    driver.load(1, DESK);
    await pass();
    const reader = follow(undefined, SHOP);
    await pass();
    t.same(
      reader.pages.map(({ pageNumber }) => pageNumber),
      [1, 2, 3],
    );
    await scans.close('The test is over.');
  },
);

t.test('restart: pages of two scanners that wait, each once and in the order of their numbers', async t => {
  const disk = durablePages();
  const driver = fakeDriver(three);
  const before = autoscanRig(driver, { store: disk.store() });
  for (const name of ['Desk', 'Hall']) await before.enable({}, name, SHOP);
  for (const id of [DESK, HALL, DESK, HALL]) {
    driver.load(1, id);
    await before.pass();
  }
  const first = before.scans.readAutoscan(SHOP);
  const ids = [];
  for (let count = 0; count < 2; count++) {
    const { value } = await first.events.next();
    if (value?.kind === 'item') ids.push(value.item.id);
  }
  await before.scans.close('The service stops.');
  first.leave();
  const { follow, pass, scans } = autoscanRig(fakeDriver(three), { store: disk.store() });
  await scans.ready();
  const back = follow(ids[0], SHOP);
  await pass();
  t.match(back.got, ['2 front', '3 front', '4 front', /^disabled/, 'over']);
});

t.test('Last-Event-ID: of a page that its reader was never given, believed by no box', async t => {
  const driver = fakeDriver(three);
  const { enable, follow, pass, scans } = autoscanRig(driver);
  for (const name of ['Desk', 'Hall']) await enable({}, name, SHOP);
  driver.load(1, DESK);
  await pass();
  driver.load(1, HALL);
  await pass();
  const hall = follow(undefined, SHOP, 'Hall');
  await pass();
  hall.leave();
  const [series = ''] = (hall.ids[0] ?? '').split('-');
  scans.readAutoscan(SHOP, { lastEventId: `${series}-1` }).leave();
  const both = follow(undefined, SHOP);
  await pass();
  t.ok(both.got.includes('1 front'), both.got.join());
});

t.test('a scanner of two names: auto-scan that was enabled by the other one', async t => {
  const identities = ['uuid:1'];
  const drivers = ['sane', 'escl'].map(id => fakeDriver({ id, devices: [{ name: `${id} desk`, identities }] }));
  const { enable, follow, scans } = autoscanRig(drivers);
  await enable({}, 'escl desk', SHOP);
  t.equal(scans.openName(), 'sane desk');
  t.ok(scans.isAutoscanOf(SHOP, 'escl desk'));
  const reader = follow(undefined, SHOP, 'escl desk');
  t.match(await scans.disableAutoscan(SHOP, 'escl desk'), { wasEnabled: true });
  await reader.over;
  t.match(reader.got, [/^disabled/, 'over']);
});

t.test('close: auto-scan is on, resolves when its scanner is closed', async t => {
  const driver = fakeDriver(three);
  let close = (): void => undefined;
  const slow = new Promise<void>(resolve => (close = resolve));
  const front = inFront(driver, session => ({ close: async () => (await slow, session.close()) }));
  const { enable, pass, scans } = autoscanRig(front);
  for (const name of ['Desk', 'Hall']) await enable({}, name, SHOP);
  let isClosed = false;
  const closed = scans.close('over').then(() => (isClosed = true));
  await pass();
  t.notOk(isClosed);
  close();
  await pass();
  await closed;
  t.equal(driver.opened, driver.closed);
});
