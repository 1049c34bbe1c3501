/** Undelivered pages of an auto-scan that is over, as a scan of the origins that enabled it. */
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeDriver, recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { KeptScan } from '../kept/keptScan.js';
import { openScanStore, type ScanStore } from '../kept/scanStore.js';
import type { StoredPage } from '../kept/storedPage.js';
import { autoscanRig, DAY, FIVE_MINUTES, smallPage } from './autoscan.test.kit.js';

const SHOP = 'https://shop.example';
const BANK = 'https://bank.example';
const two = {
  devices: [
    { name: 'Desk', flatbed: false },
    { name: 'Hall', flatbed: false },
  ],
  page: smallPage,
};
const numbersOf = (scan: KeptScan | undefined): number[] | undefined => scan?.pages.map(({ page }) => page.pageNumber);
const firstOf = ({ pages }: KeptScan): StoredPage => pages[0] as StoredPage;

/** An auto-scan of Desk with these sheets that nobody read, ended by closing the scanner. */
async function ended(t: Test, sheets = 3) {
  const driver = fakeDriver({ ...two, sheets });
  const rig = autoscanRig(driver);
  t.teardown(() => rig.scans.close('The test is over.'));
  await rig.enable({}, 'Desk', SHOP);
  await rig.pass();
  await rig.scans.closeSource();
  const [scan] = rig.scans.kept.list(SHOP) as [KeptScan];
  return { ...rig, driver, scan };
}

t.test('box as a scan: auto-scan is on, nothing is listed; over, its pages are, for its origins only', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { scans, enable, pass, clock } = autoscanRig(driver);
  const began = clock.now();
  await enable({}, 'Desk', SHOP);
  await enable({}, 'Desk', BANK);
  await pass();
  t.same(scans.kept.list(SHOP), []);
  await scans.closeSource();
  for (const origin of [SHOP, BANK]) {
    const [scan] = scans.kept.list(origin);
    t.match(scan, {
      kind: 'autoscan',
      state: 'completed',
      code: undefined,
      scannerName: 'Desk',
      createdAt: began,
      origins: [SHOP, BANK],
      notes: [],
      progress: { scanned: 2, finished: 2 },
    });
    t.match(scan?.id, /^[\da-f]{8}-[\da-f-]{27}$/);
    t.same(numbersOf(scan), [1, 2]);
    t.equal(scans.kept.find(origin, scan?.id ?? ''), scan);
  }
  const { id } = scans.kept.list(SHOP)[0] as KeptScan;
  t.same([scans.kept.list(''), scans.kept.find('', id)], [[], undefined]);
  await scans.close('The test is over.');
});

t.test('box as a scan: ended with an error, failed with its code', async t => {
  const driver = fakeDriver({ ...two, sheets: 1 });
  const { scans, enable, pass } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  await pass();
  driver.unplug();
  await pass(5000);
  t.match(scans.kept.list(SHOP), [{ state: 'failed', code: 'device-offline', error: /./ }]);
  await scans.close('The test is over.');
});

t.test('box as a scan: readers had its first pages, the rest keeps its numbers', async t => {
  const driver = fakeDriver({ ...two, sheets: 2 });
  const { scans, enable, pass, follow } = autoscanRig(driver);
  await enable({}, 'Desk', SHOP);
  const reader = follow(undefined, SHOP);
  await pass();
  reader.leave();
  driver.load(2);
  await pass();
  await scans.closeSource();
  t.same(scans.kept.list(SHOP).map(numbersOf), [[3, 4]]);
  await scans.close('The test is over.');
});

t.test('box as a scan: a page is delivered, readers get the others; all are, it goes as after a reader', async t => {
  const { scan, scans, follow, pass, shelves } = await ended(t);
  firstOf(scan).deliver();
  t.equal(firstOf(scan).delivered, true);
  const reader = follow(undefined, SHOP);
  await reader.over;
  t.same(reader.got, ['2 front', '3 front', 'disabled: scanner-closed', 'over']);
  t.ok(scan.pages.every(({ delivered }) => delivered));
  t.same(scans.kept.list(SHOP), []);
  t.equal(scans.kept.find(SHOP, scan.id), scan, 'as long as its pages are there');
  await pass(FIVE_MINUTES);
  t.equal(scans.kept.find(SHOP, scan.id), undefined);
  t.match(shelves.seen, { kept: 3, sent: 3, dropped: 3, removed: 1 });
});

t.test(
  'box as a scan: a page in the middle is delivered, a new reader gets the others; one that returns, all',
  async t => {
    const { follow, scan } = await ended(t);
    scan.pages[1]?.deliver();
    const reader = follow(undefined, SHOP);
    await reader.over;
    t.same(reader.got, ['1 front', '3 front', 'disabled: scanner-closed', 'over']);
    const back = follow(reader.ids[0], SHOP);
    await back.over;
    t.same(back.got.slice(0, 2), ['2 front', '3 front']);
  },
);

t.test('box as a scan: all pages are delivered without a reader, room is free and the box goes', async t => {
  const { scan, enable, pass, scans, shelves, clock } = await ended(t);
  for (const page of scan.pages) page.deliver();
  t.same(await enable({}, 'Desk', SHOP), [], 'no page waits');
  await pass(FIVE_MINUTES);
  t.equal(shelves.seen.removed, 2, 'the other one was empty');
  scan.pages[0]?.deliver();
  await scans.close('The test is over.');
  t.equal(clock.timers, 0);
});

t.test('box as a scan: many pages are delivered, each can still be read', async t => {
  const { scan } = await ended(t, 15);
  t.equal(scan.pages.length, 15);
  const left: number[] = [];
  for (const page of scan.pages) {
    page.deliver();
    for await (const slice of firstOf(scan).read(1000)) left.push(slice.length);
  }
  t.equal(left.length, 15);
});

t.test('box as a scan: released, discarded with no warning; a reader gets the end', async t => {
  const { scan, scans, log, shelves } = await ended(t);
  const reader = scans.readAutoscan(SHOP);
  t.match(await reader.events.next(), { value: { kind: 'item' } });
  const before = log.length;
  const released = scans.kept.release(scan.id);
  t.same(scans.kept.list(SHOP), []);
  t.match(await reader.events.next(), { value: { kind: 'end', end: { reason: 'scanner-closed' } } });
  await released;
  t.match(shelves.seen, { sent: 3, dropped: 3, removed: 1 });
  t.same(log.slice(before), []);
  t.throws(() => scans.readAutoscan(SHOP), { code: 'autoscan-off' });
  await scans.kept.release(scan.id);
});

t.test('box as a scan: released, and the disk refuses, it stays until it can be removed', async t => {
  const { scan, scans, shelves } = await ended(t);
  shelves.seen.isStuck = true;
  await t.rejects(scans.kept.release(scan.id), { code: 'storage-failed' });
  t.equal(scans.kept.find(SHOP, scan.id), scan);
  shelves.seen.isStuck = false;
  await scans.kept.release(scan.id);
  t.equal(scans.kept.find(SHOP, scan.id), undefined);
});

t.test('box as a scan: the client disables auto-scan, it is discarded as ever', async t => {
  const { scan, scans, enable } = await ended(t);
  await enable({}, 'Desk', SHOP);
  t.match(await scans.disableAutoscan(SHOP), { discarded: 3 });
  t.equal(scans.kept.find(SHOP, scan.id), undefined);
});

async function storeOf(t: Test): Promise<{ kept: string; open(): Promise<ScanStore> }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-boxes-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const kept = join(folder, 'kept');
  return { kept, open: () => openScanStore(kept, recordingLog()) };
}

/** Boxes of a run that died: real files. */
async function died(t: Test) {
  const { kept, open } = await storeOf(t);
  const driver = fakeDriver({ ...two, sheets: 3 });
  const first = autoscanRig(driver, { store: await open() });
  await first.scans.ready();
  await first.enable({}, 'Desk', SHOP);
  await first.until(async () => (await readdir(kept, { recursive: true })).some(name => name.endsWith('3.json')));
  const again = async (now?: number) => {
    const rig = autoscanRig(fakeDriver(two), { store: await open(), ...(now === undefined ? {} : { now }) });
    t.teardown(() => rig.scans.close('The test is over.'));
    await rig.scans.ready();
    return rig;
  };
  t.teardown(() => first.scans.close('The test is over.'));
  return { kept, driver, first, again };
}

t.test('box as a scan: the service died, interrupted; released, its files are gone', async t => {
  const { kept, again } = await died(t);
  const { scans } = await again();
  const [scan] = scans.kept.list(SHOP) as [KeptScan];
  t.match(scan, { state: 'interrupted', code: 'service-ended' });
  t.same(numbersOf(scan), [1, 2, 3]);
  for (const page of scan.pages) {
    await page.check();
    let size = 0;
    for await (const slice of page.read(1000)) size += slice.length;
    t.equal(size, page.size);
  }
  await scans.kept.release(scan.id);
  t.same(await readdir(kept), []);
});

t.test('box as a scan: released, and the disk keeps its facts, nothing of it is lost', async t => {
  const { kept, again } = await died(t);
  const { scans, follow, until } = await again();
  const [scan] = scans.kept.list(SHOP) as [KeptScan];
  const facts = join(kept, scan.id, 'facts.json');
  // The end that it found is being written.
  await until(async () => 'end' in (JSON.parse(await readFile(facts, 'utf8')) as object));
  const text = await readFile(facts);
  await rm(facts);
  // It cannot be removed as a file.
  await mkdir(facts);
  await t.rejects(scans.kept.release(scan.id), { code: 'storage-failed' });
  t.same(scans.kept.list(SHOP), [scan]);
  for (const page of scan.pages) await page.check();
  const reader = follow(undefined, SHOP);
  await reader.over;
  t.same(reader.got.slice(0, 3), ['1 front', '2 front', '3 front']);
  await rmdir(facts);
  await writeFile(facts, text);
  await scans.kept.release(scan.id);
  t.same(await readdir(kept), []);
});

t.test('box as a scan: a page was damaged, listed and refused; readers get a gap', async t => {
  const { kept, again } = await died(t);
  const [series = ''] = await readdir(kept);
  await truncate(join(kept, series, '2.page'), 3);
  const { scans, follow } = await again();
  const [scan] = scans.kept.list(SHOP) as [KeptScan];
  t.same(numbersOf(scan), [1, 2, 3]);
  await t.rejects((scan.pages[1] as StoredPage).check(), { code: 'storage-failed' });
  const reader = follow(undefined, SHOP);
  await reader.over;
  t.same(reader.got, ['1 front', 'error: pages-lost', 'over']);
});

t.test('box as a scan: kept for keptMs, whatever the system clock says', async t => {
  for (const jump of [3_600_000, 365 * DAY])
    for (const sign of [1, -1]) {
      const { scan, scans, clock, pass } = await ended(t, 1);
      clock.set(clock.now() + sign * jump);
      await pass(DAY - 1);
      t.equal(scans.kept.find(SHOP, scan.id), scan);
      await pass(1);
      t.equal(scans.kept.find(SHOP, scan.id), undefined);
    }
});

t.test('box as a scan: the system clock is set between two runs, it waits once more and then goes', async t => {
  for (const jump of [365 * DAY, -365 * DAY]) {
    const { again, first } = await died(t);
    const second = await again(first.clock.now());
    await second.scans.close('The service stops.');
    const third = await again(first.clock.now() + jump);
    await third.pass(DAY / 2);
    t.equal(third.scans.kept.list(SHOP).length, 1, `${jump}: not early`);
    await third.scans.close('The service stops.');
    const fourth = await again(third.clock.now());
    await fourth.pass(DAY / 2 - 1);
    t.equal(fourth.scans.kept.list(SHOP).length, 1, `${jump}: nor after a restart`);
    await fourth.pass(1);
    t.equal(fourth.scans.kept.list(SHOP).length, 0, `${jump}: not forever`);
  }
});
