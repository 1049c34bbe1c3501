/** Scans that wait in line for a scanner in use. */
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { fakeService, settled } from '../service.test.kit.js';
import { LONGEST_LINE } from '../scanning/lanes.js';
import { deferred } from '../time/wait.js';
import { LEFT_MS } from './attendance.js';
import { ended, gated, keptRig, origin, request } from './keptScans.test.kit.js';
import type { KeptScan } from './keptScan.js';
import type { KeepLimits } from './keptScans.js';
import { memoryStore } from './memoryStore.test.kit.js';
import type { ScanStore } from './scanStore.js';

const MINUTE = 60_000;
const WAIT = { waitMs: MINUTE };

/** A scanner that scans, and lets go of it when the test says so. */
async function busyRig(t: Test, limits: Partial<KeepLimits> = {}) {
  const driver = fakeDriver({ sheets: 1 });
  const { front, close } = gated(driver);
  const rig = await keptRig(t, driver, undefined, limits, true, front);
  const gate = close();
  const first = rig.start().then(({ scan }) => scan);
  first.catch(() => undefined);
  await gate.asked;
  /** Starts one that waits, and whose client is there. */
  const wait = async (waitMs = MINUTE) => {
    const { scan } = await rig.start({ waitMs });
    return { scan, leave: rig.kept.attend(scan) };
  };
  return { ...rig, driver, first, answer: gate.answer, close, wait };
}

const placesOf = (...scans: readonly KeptScan[]) => scans.map(({ progress }) => progress.placeInLine);

t.test('wait: a scanner that is free, the scan starts at once and has no place', async t => {
  const { start } = await keptRig(t, fakeDriver({ sheets: 1 }));
  const { scan } = await start(WAIT);
  t.same(placesOf(scan), [undefined]);
  t.match(await ended(scan), { state: 'completed', pages: { length: 1 } });
});

t.test('wait: without it, a scanner in use is busy, also for who comes while others wait', async t => {
  const { start, wait, answer, first } = await busyRig(t);
  const second = await wait();
  await t.rejects(start(), { code: 'busy' });
  answer();
  await ended(await first);
  await ended(second.scan);
});

t.test('wait: first come, first served, and each is told its place', async t => {
  const { wait, answer, first, kept } = await busyRig(t);
  const all = [await wait(), await wait(), await wait()].map(({ scan }) => scan);
  t.same(placesOf(...all), [1, 2, 3]);
  t.match(all, [{ state: 'running' }, { state: 'running' }, { state: 'running' }]);
  t.same(kept.list(origin), all, 'they are in the list of their owner');
  const order: string[] = [];
  const watched = all.map(async scan => {
    while (scan.progress.placeInLine !== undefined) await scan.changed();
    order.push(scan.id);
  });
  answer();
  await ended(await first);
  for (const scan of all) t.match(await ended(scan), { state: 'completed', pages: { length: 1 } });
  await Promise.all(watched);
  t.same(
    order,
    all.map(({ id }) => id),
  );
});

t.test('wait: the time is up, it fails with busy and the next moves up', async t => {
  const { wait, answer, first, clock } = await busyRig(t);
  const [short, long] = [await wait(1000), await wait(2 * MINUTE)];
  await clock.advance(1000);
  t.match(await ended(short.scan), { state: 'failed', code: 'busy', pages: { length: 0 } });
  t.same(placesOf(short.scan, long.scan), [undefined, 1]);
  answer();
  await ended(await first);
  t.match(await ended(long.scan), { state: 'completed' });
});

t.test('wait: its client leaves, it is cancelled and the next moves up', async t => {
  const { wait, answer, first, clock } = await busyRig(t);
  const [one, two] = [await wait(), await wait()];
  one.leave();
  await clock.advance(LEFT_MS - 1);
  t.same(placesOf(one.scan, two.scan), [1, 2], 'it may come back');
  await clock.advance(1);
  t.match(await ended(one.scan), { state: 'cancelled', code: 'cancelled' });
  t.same(placesOf(two.scan), [1]);
  answer();
  await ended(await first);
  t.match(await ended(two.scan), { state: 'completed' });
});

t.test('wait: a client that reconnects in time keeps its place; once it scans, it may leave', async t => {
  const { wait, answer, first, clock, kept } = await busyRig(t);
  const { scan, leave } = await wait();
  leave();
  await clock.advance(10_000);
  const leaveAgain = kept.attend(scan);
  await clock.advance(10_000);
  t.same(placesOf(scan), [1], 'a client that is there keeps it');
  answer();
  await ended(await first);
  leaveAgain();
  await clock.advance(LEFT_MS);
  t.match(await ended(scan), { state: 'completed' });
});

t.test('wait: nobody ever asks for the scan, it is cancelled', async t => {
  const { start, clock, answer, first } = await busyRig(t);
  const { scan } = await start(WAIT);
  await clock.advance(LEFT_MS);
  t.match(await ended(scan), { state: 'cancelled' });
  answer();
  await ended(await first);
});

t.test('wait: while it is being stored, its client has not left', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { front, close } = gated(driver);
  const gate = deferred<void>();
  const { store } = memoryStore();
  const create: ScanStore['create'] = facts => {
    const its = store.create(facts);
    const { begin } = its;
    return Object.assign(its, { begin: async (changed?: object) => (await gate.promise, begin(changed)) });
  };
  const { scans, clock } = fakeService(front, { store: { ...store, create } });
  const { answer, asked } = close();
  const first = scans.kept.collect({ origin, request: request() });
  await asked;
  const second = scans.kept.start({ origin, request: request(), ...WAIT });
  await clock.advance(LEFT_MS);
  gate.resolve();
  const { scan } = await second;
  scans.kept.attend(scan);
  t.same(placesOf(scan), [1]);
  answer();
  await first.run.over;
  t.match(await ended(scan), { state: 'completed' });
  await first.end(true);
  await scans.close('The test is over.');
});

t.test('wait: cancelled by its owner, the others go on', async t => {
  const { wait, answer, first } = await busyRig(t);
  const [one, two] = [await wait(), await wait()];
  one.scan.cancel();
  t.match(await ended(one.scan), { state: 'cancelled', code: 'cancelled' });
  t.same(placesOf(two.scan), [1]);
  answer();
  await ended(await first);
  t.match(await ended(two.scan), { state: 'completed' });
});

t.test('wait: auto-scan has the scanner, it waits until that is off', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { start, scans, kept } = await keptRig(t, driver);
  await scans.enableAutoscan(request().options, 'Fake scanner', origin);
  const { scan } = await start(WAIT);
  kept.attend(scan);
  t.same(placesOf(scan), [1]);
  await scans.disableAutoscan(origin);
  t.match(await ended(scan), { state: 'completed' });
});

t.test("wait: the request's own time counts from its turn", async t => {
  const { start, kept, answer, first, clock, close } = await busyRig(t);
  const { scan } = await start({
    request: request({ options: { ...request().options, timeoutSeconds: 1 } }),
    waitMs: MINUTE,
  });
  kept.attend(scan);
  await clock.advance(2000);
  const gate = close();
  answer();
  await ended(await first);
  await gate.asked;
  t.match(scan, { state: 'running', progress: { placeInLine: undefined } });
  await clock.advance(1000);
  gate.answer();
  t.match(await ended(scan), { code: 'timeout' });
});

t.test('wait: other scans fill the room meanwhile, it fails and nothing is fed', async t => {
  const { wait, answer, first, driver } = await busyRig(t, { keepBytes: 1 });
  const { scan } = await wait();
  answer();
  await ended(await first);
  t.match(await ended(scan), { state: 'failed', code: 'storage-full', pages: { length: 0 } });
  t.equal(driver.scans, 1);
});

t.test('wait: no room when it comes, it is refused', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { front, close } = gated(driver);
  const { start, kept } = await keptRig(t, driver, undefined, { keepBytes: 1 }, true, front);
  await ended((await start()).scan);
  const before = kept.list(origin);
  const gate = close();
  const first = start();
  first.catch(() => undefined);
  await gate.asked;
  await t.rejects(start(WAIT), { code: 'storage-full' });
  t.same(kept.list(origin), before);
  gate.answer();
  await t.rejects(first, { code: 'storage-full' });
});

t.test('wait: the service stops, it is over and its record says so', async t => {
  const { wait, scans, answer } = await busyRig(t);
  const { scan } = await wait();
  const closing = scans.close('The service stops.');
  await settled();
  answer();
  await closing;
  t.match(scan, { state: 'interrupted' });
});

t.test('wait: repeated with its key, it is the same scan and has one place', async t => {
  const { start, kept, answer, first } = await busyRig(t);
  const given = { ...WAIT, key: 'a-key', body: '{}' };
  const { scan, isNew } = await start(given);
  kept.attend(scan);
  const again = await start(given);
  t.same([isNew, again.isNew, again.scan === scan], [true, false, true]);
  t.same(placesOf(scan), [1]);
  answer();
  await ended(await first);
  await ended(scan);
});

t.test('wait: the line is as long as it may be, the next is refused', async t => {
  const { start, wait, answer, first, kept } = await busyRig(t);
  const all = [];
  for (let place = 1; place <= LONGEST_LINE; place++) all.push(await wait());
  await t.rejects(start(WAIT), { code: 'busy' });
  t.equal(kept.list(origin).length, LONGEST_LINE);
  for (const { scan } of all) scan.cancel();
  for (const { scan } of all) await ended(scan);
  answer();
  await ended(await first);
});
