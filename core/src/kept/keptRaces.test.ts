/** Kept scans: calls that come while another one is under way. */
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { optionsWith } from '../service.test.kit.js';
import type { KeepLimits } from './keptScans.js';
import { KEY_MS } from './requestKeys.js';
import { bytesOf, DAY, ended, folderOf, gated, keptRig, origin, request } from './keptScans.test.kit.js';

/** A scan of one sheet that ended, with two more in the feeder. */
async function once(t: Test, limits: Partial<KeepLimits> = {}) {
  const driver = fakeDriver({ sheets: 1 });
  const gate = gated(driver);
  const rig = await keptRig(t, driver, undefined, limits, true, gate.front);
  const { scan } = await rig.start();
  await ended(scan);
  driver.load(2);
  return { ...rig, driver, scan, ...gate };
}

t.test('continue: the scanner is asked, the scan is in use and cannot be released', async t => {
  const { kept, scan, close } = await once(t);
  const { asked, answer } = close();
  const continuing = kept.continue(scan);
  await asked;
  await t.rejects(kept.release(scan.id), { code: 'busy' });
  await t.rejects(kept.continue(scan), { code: 'busy' });
  answer();
  await continuing;
  t.equal((await ended(scan)).state, 'completed');
  t.equal((await bytesOf(scan)).length, 3);
});

t.test('continue: the scan becomes too old meanwhile, it stays', async t => {
  const { kept, scan, close, clock } = await once(t);
  await clock.advance(DAY - 1);
  const { asked, answer } = close();
  const continuing = kept.continue(scan);
  await asked;
  await clock.advance(2);
  answer();
  await continuing;
  await ended(scan);
  t.equal((await bytesOf(scan)).length, 3);
  await clock.advance(DAY - 1);
  t.equal(kept.find(origin, scan.id), scan, 'its age counts from the last end');
  await clock.advance(1);
  t.equal(kept.find(origin, scan.id), undefined);
});

t.test('continue: refused, the scan stays as long as it would have', async t => {
  const { kept, scan, clock, driver } = await once(t);
  await clock.advance(DAY - 10);
  driver.unplug();
  await t.rejects(kept.continue(scan), { code: 'device-offline' });
  t.match(scan, { state: 'completed', code: undefined });
  await clock.advance(9);
  t.equal(kept.find(origin, scan.id), scan);
  await clock.advance(1);
  t.equal(kept.find(origin, scan.id), undefined);
});

t.test('continue: the service is killed while the scanner is asked, the scan is as old as it was', async t => {
  const driver = fakeDriver({ sheets: 1, faults: { 1: 'paper-jam' } });
  const { front, close } = gated(driver);
  const first = await keptRig(t, driver, undefined, {}, true, front);
  const { scan } = await first.start();
  await ended(scan);
  await first.clock.advance(KEY_MS - 1);
  const { asked, answer } = close();
  const continuing = first.kept.continue(scan);
  await asked;
  const left = await folderOf(t);
  await cp(join(first.dir, 'scans'), join(left, 'scans'), { recursive: true });
  driver.clearFaults();
  answer();
  await continuing;
  const second = await keptRig(t, driver, left, {}, true, driver, first.clock.now());
  t.match(second.kept.find(origin, scan.id), { state: 'failed', code: 'paper-jam' });
  await second.clock.advance(1);
  t.equal(second.kept.find(origin, scan.id), undefined, 'whatever the killed service still did with it');
});

t.test('continue: cancelled while the scanner is asked, nothing is fed and the scan stays as it was', async t => {
  const { kept, scan, close, driver } = await once(t);
  const { asked, answer } = close();
  const continuing = t.rejects(kept.continue(scan), { code: 'cancelled' });
  await asked;
  scan.cancel();
  answer();
  await continuing;
  t.match(scan, { state: 'completed', pages: { length: 1 } });
  t.equal(driver.fed, 1);
});

t.test('continue: no room and all its pages are delivered, it does not go itself', async t => {
  const { kept, scan, driver } = await once(t, { keepBytes: 1 });
  for (const page of scan.pages) page.deliver();
  await t.rejects(kept.continue(scan), { code: 'storage-full' });
  t.equal(driver.fed, 1);
  t.equal(kept.find(origin, scan.id), scan);
  t.equal((await bytesOf(scan)).length, 1);
});

t.test('continue: the disk refuses, no paper moves and the scan stays as it was', async t => {
  const { kept, scan, driver, dir } = await once(t);
  await rm(join(dir, 'scans', scan.id), { recursive: true });
  await writeFile(join(dir, 'scans', scan.id), '');
  await t.rejects(kept.continue(scan), { code: 'storage-failed' });
  t.equal(driver.fed, 1);
  t.match(scan, { state: 'completed', pages: { length: 1 } });
});

t.test('start: refused, no delivered scan goes for it', async t => {
  const { kept, scan, start } = await once(t, { keepBytes: 1 });
  for (const page of scan.pages) page.deliver();
  await t.rejects(start({ request: request({ options: optionsWith({ resolution: 7 }) }) }), { code: 'invalid-value' });
  t.equal(kept.find(origin, scan.id), scan);
  await start();
  t.equal(kept.find(origin, scan.id), undefined);
});

t.test('start: no room, a scan without pages stays: nothing is won', async t => {
  const { kept, start, driver } = await once(t, { keepBytes: 1 });
  for (const each of kept.list(origin)) await kept.release(each.id);
  driver.fault(1, 'paper-jam');
  const { scan } = await start();
  t.match(await ended(scan), { state: 'failed', pages: { length: 0 } });
  driver.clearFaults();
  const { scan: full } = await start();
  await ended(full);
  driver.load(1);
  await t.rejects(start(), { code: 'storage-full' });
  t.equal(kept.find(origin, scan.id), scan);
});

t.test('start: the disk refuses, no folder is left', async t => {
  const { dir, start, kept, scan } = await once(t);
  await kept.release(scan.id);
  await rm(join(dir, 'scans'), { recursive: true });
  await writeFile(join(dir, 'scans'), '');
  await t.rejects(start(), { code: 'storage-failed' });
  t.same(kept.list(origin), []);
});

t.test('release: the scan’s key still counts, and holds none of its pages', async t => {
  const { kept, start, driver } = await once(t);
  const { scan } = await start({ key: 'k' });
  await ended(scan);
  const { fed } = driver;
  driver.load(1);
  await kept.release(scan.id);
  const { scan: again, isNew } = await start({ key: 'k' });
  t.same([again.id, isNew, again.pages.length, driver.fed], [scan.id, false, 0, fed]);
  t.equal(kept.find(origin, scan.id), undefined);
});

t.test('release: a reader is in the middle of a page, it gets the rest', async t => {
  const { kept, scan } = await once(t);
  const [page] = scan.pages;
  const wanted = (await bytesOf(scan))[0];
  const slices = page!.read(10)[Symbol.asyncIterator]();
  const got = [Buffer.from((await slices.next()).value as Uint8Array)];
  await kept.release(scan.id);
  for (let slice = await slices.next(); !slice.done; slice = await slices.next()) got.push(Buffer.from(slice.value));
  t.equal(Buffer.concat(got).toString('hex'), wanted);
});

t.test('collect: its answer is being sent, the scan cannot go or run on', async t => {
  const { kept, driver, start, clock } = await once(t, { keepBytes: 1e9 });
  const { run, pages, end } = kept.collect({ origin, request: request() });
  await run.over;
  const collected = kept.list(origin).at(-1);
  t.equal(collected?.pages, pages);
  for (const page of pages) page.deliver();
  await t.rejects(kept.release(collected!.id), { code: 'busy' });
  await t.rejects(kept.continue(collected!), { code: 'busy' });
  await clock.advance(2 * DAY);
  t.equal((await bytesOf(collected!)).length, 2);
  await end(false);
  t.equal(kept.find(origin, collected!.id), collected, 'its client went away');
  await clock.advance(DAY);
  t.equal(kept.find(origin, collected!.id), undefined);
  driver.load(1);
  await start();
});

t.test('collect: another answer begins while one is removed, it is not taken for a scan that may go', async t => {
  const { kept, driver } = await once(t);
  const first = kept.collect({ origin, request: request() });
  await first.run.over;
  driver.load(1);
  const removing = first.end(true);
  const second = kept.collect({ origin, request: request() });
  await Promise.all([removing, second.run.over]);
  const own = kept.list(origin).find(({ pages }) => pages === second.pages);
  await t.rejects(kept.release(own!.id), { code: 'busy' });
  await second.end(true);
  t.equal(kept.find(origin, own!.id), undefined);
});

t.test('collect: no room or no disk, its pages go to the spool and nothing is left of them', async t => {
  for (const fault of ['no room', 'no disk']) {
    const { kept, dir, scan, log } = await once(t, { keepBytes: fault === 'no room' ? 1 : 1e9 });
    if (fault === 'no disk') {
      await rm(join(dir, 'scans'), { recursive: true });
      await writeFile(join(dir, 'scans'), '');
    }
    const { run, pages, end } = kept.collect({ origin, request: request() });
    t.equal(await run.over, undefined, fault);
    t.equal(pages.length, 2);
    for (const page of pages) await page.check();
    t.equal(log.lines.filter(line => line.startsWith('warn')).length, fault === 'no disk' ? 1 : 0);
    await end(false);
    t.same(
      kept.list(origin).map(({ id }) => id),
      [scan.id],
    );
  }
});

t.test('close: after keys, ages and released scans, no timer is left and every folder is written', async t => {
  const { kept, scans, start, scan, clock, dir, driver } = await once(t);
  await ended((await start({ key: 'k' })).scan);
  driver.load(1);
  const { run, end } = kept.collect({ origin, request: request() });
  await run.over;
  const [sent, released] = [end(true), kept.release(scan.id)];
  await scans.close('The test is over.');
  await Promise.all([sent, released]);
  t.equal(clock.timers, 0);
  t.equal((await readdir(join(dir, 'scans'))).length, 1, 'the keyed one');
});

t.test('system clock: set by an hour or a year, no scan goes early or stays', async t => {
  for (const jump of [3_600_000, 365 * DAY])
    for (const sign of [1, -1]) {
      const { kept, scan, clock } = await once(t);
      await clock.advance(1000);
      clock.set(clock.now() + sign * jump);
      await clock.advance(DAY - 1001);
      t.equal(kept.find(origin, scan.id), scan, `${sign * jump}`);
      await clock.advance(1);
      t.equal(kept.find(origin, scan.id), undefined, `${sign * jump}`);
    }
});

t.test('system clock: set between two runs, the scan waits once more and then goes', async t => {
  for (const jump of [365 * DAY, -365 * DAY]) {
    const first = await once(t);
    await first.scans.close('The service stops.');
    let now = first.clock.now() + jump;
    const reopen = async () => keptRig(t, fakeDriver(), first.dir, {}, true, undefined, now);
    const second = await reopen();
    await second.clock.advance(DAY / 2);
    t.ok(second.kept.find(origin, first.scan.id), `${jump}: not early`);
    await second.scans.close('The service stops.');
    now = second.clock.now();
    const third = await reopen();
    await third.clock.advance(DAY / 2 - 1);
    t.ok(third.kept.find(origin, first.scan.id), `${jump}: nor with the next restart`);
    await third.clock.advance(1);
    t.notOk(third.kept.find(origin, first.scan.id), `${jump}: not forever`);
    await third.scans.close('The service stops.');
  }
});

t.test('system clock: the service was off for long, the scan waits once more only', async t => {
  const first = await once(t);
  await first.scans.close('The service stops.');
  const later = async (now: number) => keptRig(t, fakeDriver(), first.dir, {}, true, undefined, now);
  const second = await later(first.clock.now() + 7 * DAY);
  t.ok(second.kept.find(origin, first.scan.id));
  await second.scans.close('The service stops.');
  const third = await later(second.clock.now() + 7 * DAY);
  await third.clock.advance(0);
  t.notOk(third.kept.find(origin, first.scan.id));
});

t.test('scan without pages: kept for an hour, also over a restart; with pages, for the whole time', async t => {
  const driver = fakeDriver({ sheets: 1, faults: { 1: 'paper-jam' } });
  const first = await keptRig(t, driver);
  const { scan: empty } = await first.start();
  t.match(await ended(empty), { code: 'paper-jam', pages: { length: 0 } });
  driver.clearFaults();
  const { scan: full } = await first.start();
  await ended(full);
  const ids = (rig: typeof first) => rig.kept.list(origin).map(({ id }) => id);
  await first.clock.advance(KEY_MS - 1);
  t.same(ids(first), [empty.id, full.id]);
  const second = await keptRig(t, driver, first.dir, {}, true, driver, first.clock.now());
  for (const each of [first, second]) {
    await each.clock.advance(1);
    t.same(ids(each), [full.id]);
    await each.clock.advance(DAY - KEY_MS - 1);
    t.same(ids(each), [full.id]);
  }
});
