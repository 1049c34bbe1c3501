/** Kept scans on a disk that is full or read-only: a code, nothing half done, and the rest is served. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeDriver, lackingDisks, mountSmallDisk } from '@platen/conformance';
import t, { type Test } from 'tap';
import { bytesOf, ended, folderOf, keptRig, origin, request } from './keptScans.test.kit.js';
import type { KeptScan } from './keptScan.js';

const skip = lackingDisks();

async function small(t: Test) {
  const dir = await folderOf(t);
  const disk = mountSmallDisk(dir, '400k');
  t.teardown(() => disk.unmount());
  const driver = fakeDriver({ sheets: 1 });
  const rig = await keptRig(t, driver, dir);
  const { scan } = await rig.start();
  await ended(scan);
  const again = async () => keptRig(t, driver, dir);
  return { ...rig, disk, driver, scan, again };
}

t.test(
  'disk: full before a scan, refused with a code; no paper moves, no folder is left, the rest is served',
  { skip },
  async t => {
    const { start, disk, driver, scan, dir, kept } = await small(t);
    driver.load(1);
    await disk.fill();
    await t.rejects(start(), { code: 'storage-failed', message: /Free space/ });
    t.equal(driver.fed, 1);
    t.same(await readdir(join(dir, 'scans')), [scan.id]);
    t.equal((await bytesOf(scan)).length, 1);
    await t.rejects(kept.continue(scan), { code: 'storage-failed' });
    t.equal(driver.fed, 1);
    await disk.free();
    const { scan: next } = await start();
    t.match(await ended(next), { state: 'completed', pages: { length: 1 } });
  },
);

t.test(
  'disk: full during a scan, failed with a code; every page is served, and what is on disk in the next run',
  { skip },
  async t => {
    const { start, disk, driver, again, kept, scans, dir } = await small(t);
    driver.load(6);
    driver.hold();
    const { scan } = await start();
    // The folder and its facts take a few blocks; the pages do not fit.
    await disk.fill();
    driver.release();
    t.match(await ended(scan), { state: 'failed', code: 'storage-failed' });
    t.ok(scan.pages.length > 0);
    t.equal((await bytesOf(scan)).length, scan.pages.length);
    t.equal(driver.fed, 1 + scan.pages.length, 'all that was fed is there');
    const { length } = scan.pages;
    const names = () => readdir(join(dir, 'scans', scan.id));
    // How it ended is told before it is written.
    while ((await names()).length > 1) await breathe();
    t.same(await names(), ['facts.json'], 'no torn page');
    await t.rejects(start(), { code: 'storage-failed' }, 'its pages are in memory');
    t.equal(driver.fed, 1 + length);
    await disk.free();
    await kept.continue(scan);
    t.match(await ended(scan), { state: 'completed' });
    t.ok(scan.pages.length > length);
    const wanted = await bytesOf(scan);
    t.same(
      scan.pages.map(({ page }) => page.pageNumber),
      scan.pages.map((_, at) => at + 1),
    );
    await scans.close('The service stops.');
    const found = (await again()).kept.find(origin, scan.id) as KeptScan;
    t.same(await bytesOf(found), wanted, 'those that were in memory, too');
  },
);

t.test(
  'disk: full during a scan, the one that waits for the scanner fails with a code and feeds nothing',
  { skip },
  async t => {
    const { start, disk, driver, kept } = await small(t);
    driver.load(6);
    driver.hold();
    const { scan } = await start();
    const { scan: next } = await start({ waitMs: 60_000 });
    kept.attend(next);
    t.match(next.progress, { placeInLine: 1 });
    await disk.fill();
    driver.release();
    await ended(scan);
    t.match(await ended(next), { state: 'failed', code: 'storage-failed', pages: { length: 0 } });
    t.equal(driver.fed, 1 + scan.pages.length);
  },
);

t.test(
  'disk: full during a scan, then free; the service stops and starts, every page is there with how the scan ended',
  { skip },
  async t => {
    const { start, disk, driver, again, scans } = await small(t);
    driver.load(2);
    driver.hold();
    const { scan } = await start();
    await disk.fill();
    driver.release();
    await ended(scan);
    const wanted = await bytesOf(scan);
    await disk.free();
    await scans.close('The service stops.');
    const found = (await again()).kept.find(origin, scan.id) as KeptScan;
    t.match(found, { state: 'failed', code: 'storage-failed' });
    t.same(await bytesOf(found), wanted);
  },
);

t.test('disk: full, a scan for one answer has its pages in the spool', { skip }, async t => {
  const { kept, disk, driver } = await small(t);
  driver.load(2);
  await disk.fill();
  const { run, pages, end } = kept.collect({ origin, request: request() });
  t.equal(await run.over, undefined);
  t.equal(pages.length, 2);
  await end(true);
});

t.test('disk: full during a scan for one answer, the rest goes to the spool and none is lost', { skip }, async t => {
  const { kept, disk, driver, dir, scan: before } = await small(t);
  driver.load(20);
  // The folder and some pages.
  await disk.fill(40_960);
  const { run, pages, end } = kept.collect({ origin, request: request() });
  t.equal(await run.over, undefined);
  t.equal(pages.length, 20);
  const scan = kept.list(origin).find(({ id }) => id !== before.id) as KeptScan;
  const names = await readdir(join(dir, 'scans', scan.id));
  const { length } = names.filter(name => /^\d+\.json$/.test(name));
  t.ok(length > 0 && length < 20, `${length} are in the folder`);
  const wanted = await bytesOf(scan);
  await end(false);
  t.same(await bytesOf(scan), wanted, 'its client went away: they stay');
  await kept.release(scan.id);
  t.same(await readdir(join(dir, 'scans')), [before.id]);
});

t.test('disk: read-only, kept scans are served and new ones refused with a code', { skip }, async t => {
  const { scans, disk, driver, scan, again } = await small(t);
  const before = await bytesOf(scan);
  await scans.close('The service stops.');
  disk.setReadOnly(true);
  t.teardown(() => disk.setReadOnly(false));
  driver.load(1);
  const second = await again();
  const found = second.kept.find(origin, scan.id) as KeptScan;
  t.same(await bytesOf(found), before);
  await t.rejects(second.start(), { code: 'storage-failed' });
  await t.rejects(second.kept.continue(found), { code: 'storage-failed' });
  t.equal(driver.fed, 1);
  for (const page of found.pages) page.deliver();
  await t.rejects(second.kept.release(found.id), { code: 'storage-failed' });
  t.match(second.log.lines.at(-1), /^warn: .*read-only/);
  t.equal(second.kept.find(origin, scan.id), found);
  t.same(await bytesOf(found), before);
  disk.setReadOnly(false);
  t.ok((await again()).kept.find(origin, scan.id), 'its files are still there');
});
