/** An auto-scan that keeps its pages: a scan of its owner from its first moment until its owner lets it go. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeDriver, recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { KeptScan } from '../kept/keptScan.js';
import { openScanStore } from '../kept/scanStore.js';
import { autoscanRig, DAY, FIVE_MINUTES, smallPage, type RigOptions } from './autoscan.test.kit.js';

const SHOP = 'https://shop.example';
const BANK = 'https://bank.example';
const desk = { devices: [{ name: 'Desk', flatbed: false }], page: smallPage };
const numbersOf = ({ pages }: KeptScan): number[] => pages.map(({ page }) => page.pageNumber);

async function begin(t: Test, sheets = 2, options: RigOptions = {}) {
  const driver = fakeDriver({ ...desk, sheets });
  const rig = autoscanRig(driver, options);
  t.teardown(() => rig.scans.close('The test is over.'));
  await rig.enable({}, 'Desk', SHOP, { requestId: 'mine' });
  const scan = rig.scans.keptAutoscanOf(SHOP, 'Desk')!;
  await rig.pass();
  return { ...rig, driver, scan };
}

t.test('keeping: it is a scan while it is on, for its owner only, and its pages are there as they come', async t => {
  const { scans, scan } = await begin(t);
  t.match(scan, { kind: 'autoscan', state: 'running', scannerName: 'Desk', requestId: 'mine', origins: [SHOP] });
  t.strictSame(numbersOf(scan), [1, 2]);
  t.strictSame(scans.kept.list(SHOP), [scan]);
  t.equal(scans.kept.find(SHOP, scan.id), scan);
  t.strictSame(scans.kept.list(BANK), []);
  t.equal(scans.kept.find(BANK, scan.id), undefined);
  t.equal(scans.keptAutoscanOf(BANK, 'Desk'), undefined);
  await t.rejects(scans.kept.release(scan.id), { code: 'busy' }, 'not while it is on');
});

t.test('keeping: who waits for a change hears of each page, and of the end', async t => {
  const { scan, driver, pass } = await begin(t, 1);
  let changes = 0;
  const wait = async (): Promise<void> => (await scan.changed(), void changes++);
  let waiting = wait();
  driver.load(1);
  await pass(2000);
  await waiting;
  t.strictSame(numbersOf(scan), [1, 2]);
  waiting = wait();
  scan.cancel();
  await pass();
  await waiting;
  t.equal(scan.state, 'completed');
  t.ok(changes >= 2);
});

t.test('keeping: pages that a reader has, or that were fetched, stay, and make room for others', async t => {
  const { scan, follow, pass, driver } = await begin(t, 3, { outboxPages: 2 });
  t.strictSame(numbersOf(scan), [1, 2], 'the scanner waits');
  scan.pages[0]?.deliver();
  await pass(2000);
  t.strictSame(numbersOf(scan), [1, 2, 3], 'a page that was fetched makes room');
  const reader = follow(undefined, SHOP);
  await pass();
  t.strictSame(reader.got, ['2 front', '3 front']);
  t.strictSame(numbersOf(scan), [1, 2, 3]);
  for (const page of scan.pages) {
    t.equal(page.delivered, true);
    await page.check();
  }
  driver.load(9);
  await pass(2000);
  t.ok(scan.pages.length > 3);
});

t.test('keeping: for who follows the scan, it feeds on, whatever waits; without one, it waits', async t => {
  const { scans, scan, driver, pass } = await begin(t, 5, { outboxPages: 2 });
  t.strictSame(numbersOf(scan), [1, 2]);
  const leave = scans.kept.attend(scan);
  await pass(2000);
  t.strictSame(numbersOf(scan), [1, 2, 3, 4, 5]);
  leave();
  driver.load(1);
  await pass(10_000);
  t.equal(scan.pages.length, 5);
  scans.kept.attend(scan);
  await pass(2000);
  t.strictSame(numbersOf(scan), [1, 2, 3, 4, 5, 6]);
});

t.test('keeping: without room for kept pages it does not begin; pages that were fetched make room', async t => {
  const { scans, scan, enable, pass } = await begin(t, 1, { keepBytes: 1 });
  await scans.disableAutoscan(SHOP);
  await pass();
  await t.rejects(enable({}, 'Desk', SHOP, {}), { code: 'storage-full' });
  t.strictSame(await enable({}, 'Desk', SHOP), [], 'one that keeps nothing needs none');
  await scans.disableAutoscan(SHOP);
  scan.pages[0]?.deliver();
  t.strictSame(await enable({}, 'Desk', SHOP, {}), []);
  t.equal(scans.kept.find(SHOP, scan.id), undefined);
});

t.test('keeping: without a page, it is there after its end, too, and after a restart', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-keeping-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { scans, scan, pass } = await begin(t, 0, { store: await openScanStore(folder, recordingLog()) });
  scan.cancel();
  await pass();
  t.match(scans.kept.find(SHOP, scan.id), { state: 'completed', pages: [] });
  await scans.close('The service is stopping.');
  const next = autoscanRig(fakeDriver({ ...desk, sheets: 0 }), { store: await openScanStore(folder, recordingLog()) });
  t.teardown(() => next.scans.close('The test is over.'));
  await next.scans.ready();
  t.match(next.scans.kept.find(SHOP, scan.id), { state: 'completed', pages: [] });
});

t.test('keeping: disabling discards nothing; it waits for its owner as long as a scan', async t => {
  const { scans, scan, clock, pass } = await begin(t, 2, { keptMs: 1000, scansMs: DAY });
  t.strictSame(await scans.disableAutoscan(SHOP), { wasEnabled: true, discarded: 0 });
  t.equal(scan.state, 'completed');
  t.strictSame(numbersOf(scan), [1, 2]);
  t.strictSame(await scans.disableAutoscan(SHOP), { wasEnabled: false, discarded: 0 }, 'nor a second time');
  await clock.advance(DAY - 1);
  t.equal(scans.kept.find(SHOP, scan.id), scan);
  await clock.advance(1);
  await pass();
  t.equal(scans.kept.find(SHOP, scan.id), undefined);
});

t.test('keeping: the next auto-scan and the event stream do not offer its pages again', async t => {
  const { scans, enable, follow, pass, driver } = await begin(t);
  await scans.disableAutoscan(SHOP);
  t.throws(() => scans.readAutoscan(SHOP), { code: 'autoscan-off' });
  t.strictSame(await enable({}, 'Desk', SHOP), []);
  driver.load(1);
  const reader = follow(undefined, SHOP);
  await pass(2000);
  t.strictSame(reader.got, ['1 front']);
});

t.test('keeping: who follows the scan is a reader; without one it ends, and keeps its pages', async t => {
  const { scans, scan, pass } = await begin(t);
  const leave = scans.kept.attend(scan);
  await pass(2 * FIVE_MINUTES);
  t.equal(scan.state, 'running');
  leave();
  leave();
  await pass(FIVE_MINUTES - 1000);
  t.equal(scan.state, 'running');
  await pass(1000);
  t.equal(scan.state, 'completed');
  t.strictSame(numbersOf(scan), [1, 2]);
});

t.test('keeping: failing scans end it with their reason', async t => {
  const driver = fakeDriver({ ...desk, sheets: 1, faults: { 1: 'paper-jam' } });
  const { scans, enable, pass } = autoscanRig(driver, { maxFailures: 2 });
  t.teardown(() => scans.close('The test is over.'));
  await enable({}, 'Desk', SHOP, {});
  const scan = scans.keptAutoscanOf(SHOP, 'Desk');
  for (let round = 0; round < 20 && scan?.state === 'running'; round++) {
    driver.load(1);
    await pass(5000);
  }
  t.match(scan, { state: 'failed', code: 'driver-failed', error: /in a row/ });
});

t.test('keeping: one that is on without keeping cannot begin to', async t => {
  const { scans, enable } = autoscanRig(fakeDriver({ ...desk, sheets: 0 }));
  t.teardown(() => scans.close('The test is over.'));
  await enable({}, 'Desk', SHOP);
  await t.rejects(enable({}, 'Desk', SHOP, {}), { code: 'busy' });
  t.equal(scans.keptAutoscanOf(SHOP, 'Desk'), undefined);
});

t.test('keeping: a restart finds all of its pages, also those that a client had', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-keeping-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const first = autoscanRig(fakeDriver({ ...desk, sheets: 3 }), { store: await openScanStore(folder, recordingLog()) });
  await first.enable({}, 'Desk', SHOP, { requestId: 'mine' });
  const before = first.scans.keptAutoscanOf(SHOP, 'Desk')!;
  await first.until(async () => before.pages.length === 3);
  before.pages[0]?.deliver();
  await first.scans.close('The service is stopping.');

  const rig = autoscanRig(fakeDriver({ ...desk, sheets: 0 }), { store: await openScanStore(folder, recordingLog()) });
  t.teardown(() => rig.scans.close('The test is over.'));
  await rig.scans.ready();
  const scan = rig.scans.kept.find(SHOP, before.id);
  t.match(scan, { kind: 'autoscan', requestId: 'mine', scannerName: 'Desk' });
  t.strictSame(scan && numbersOf(scan), [1, 2, 3]);
  for (const page of scan?.pages ?? []) await page.check();
  t.not(scan?.state, 'running');
  await rig.scans.kept.release(before.id);
  t.equal(rig.scans.kept.find(SHOP, before.id), undefined);
  t.strictSame(await (await openScanStore(folder, recordingLog())).read(), []);
});
