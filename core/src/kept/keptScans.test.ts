/** Kept scans over the fake driver: in folders on disk, and in the spool. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import { nullLog } from '../log/nullLog.js';
import { optionsWith } from '../service.test.kit.js';
import { openScanStore } from './scanStore.js';
import { bytesOf, ended, folderOf, keptRig as rig, origin, request } from './keptScans.test.kit.js';
import type { KeptScan } from './keptScan.js';
import { KEY_MS } from './requestKeys.js';
import type { StoredPage } from './storedPage.js';

for (const keep of [true, false])
  t.test(`kept scans, ${keep ? 'on disk' : 'in the spool'}: pages in order, with their digests; let go`, async t => {
    const { kept, start, dir } = await rig(t, fakeDriver({ sheets: 3 }), undefined, {}, keep);
    const { scan, isNew } = await start();
    t.equal(isNew, true);
    t.match(await ended(scan), { state: 'completed', progress: { scanned: 3, finished: 3 } });
    t.same(
      scan.pages.map(({ page, sha256 }) => [page.pageNumber, page.sheet, sha256.length]),
      [1, 2, 3].map(n => [n, n, 64]),
    );
    t.equal((await bytesOf(scan)).length, 3);
    t.same(
      kept.list(origin).map(({ id }) => id),
      [scan.id],
    );
    t.same([kept.list(''), kept.find('', scan.id)], [[], undefined]);
    t.equal(kept.find(origin, scan.id), scan);
    await kept.release(scan.id);
    t.same(kept.list(origin), []);
    t.same(await readdir(join(dir, keep ? 'scans' : 'spool')), []);
  });

t.test('kept scans: a hundred of an earlier run, each once and oldest first', async t => {
  const folder = await folderOf(t);
  const store = await openScanStore(join(folder, 'scans'), nullLog);
  const ids = Array.from({ length: 100 }, () => randomUUID());
  const facts = { kind: 'scan', origins: [origin], state: 'completed', notes: [], request: request() } as const;
  for (const [at, id] of ids.entries()) await store.create({ ...facts, id, createdAt: (at * 37) % 100 }).begin();
  const { kept } = await rig(t, fakeDriver(), folder);
  const times = kept.list(origin).map(({ createdAt }) => createdAt);
  t.same(
    times,
    ids.map((_, at) => at),
  );
});

t.test('kept scans: refused before paper moves, no scan is left and the key is free', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { kept, start, dir } = await rig(t, driver);
  const key = 'k';
  await t.rejects(start({ key, request: request({ scannerName: 'None' }) }), { code: 'device-not-found' });
  await t.rejects(start({ key, request: request({ options: optionsWith({ resolution: 7 }) }) }), {
    code: 'invalid-value',
  });
  t.same([kept.list(origin), await readdir(join(dir, 'scans')), driver.fed], [[], [], 0]);
  const { scan, isNew } = await start({ key });
  t.equal(isNew, true);
  await ended(scan);
});

t.test('kept scans: the disk refuses, no paper moves', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { start, dir } = await rig(t, driver);
  await rm(join(dir, 'scans'), { recursive: true });
  await writeFile(join(dir, 'scans'), '');
  await t.rejects(start(), { code: 'storage-failed' });
  t.equal(driver.fed, 0);
});

t.test('kept scans: the service ends in a scan, it is interrupted and its pages are there', async t => {
  const driver = fakeDriver({ sheets: 3 });
  const { start, dir, scans } = await rig(t, driver);
  const { scan } = await start({ key: 'k' });
  await ended(scan);
  const before = await bytesOf(scan);
  await scans.close('The service stops.');
  const facts = join(dir, 'scans', scan.id, 'facts.json');
  await writeFile(facts, (await readFile(facts, 'utf8')).replace('"completed"', '"running"'));
  await writeFile(join(dir, 'scans', scan.id, '4.page'), 'torn');

  driver.load(2);
  const again = await rig(t, driver, dir);
  const found = again.kept.find(origin, scan.id) as KeptScan;
  t.match(found, { state: 'interrupted', code: 'service-ended' });
  t.same(await bytesOf(found), before);
  t.match(await again.start({ key: 'k' }), { isNew: false, scan: { id: scan.id } }, 'no paper is fed twice');
  await again.kept.continue(found);
  t.match(await ended(found), { state: 'completed' });
  t.same(
    found.pages.map(({ page }) => page.pageNumber),
    [1, 2, 3, 4, 5],
  );
});

t.test('kept scans: a page file is damaged, that page is refused and the others are served', async t => {
  const { start, dir, scans } = await rig(t, fakeDriver({ sheets: 3 }));
  const { scan } = await start();
  await ended(scan);
  await scans.close('The service stops.');
  const at = (name: string) => join(dir, 'scans', scan.id, name);
  await truncate(at('1.page'), 3);
  const bytes = await readFile(at('2.page'));
  bytes[0] = (bytes[0] ?? 0) ^ 255;
  await writeFile(at('2.page'), bytes);
  await writeFile(at('notes.txt'), 'foreign');
  const found = (await rig(t, fakeDriver(), dir)).kept.find(origin, scan.id) as KeptScan;
  const [first, second, third] = found.pages as [StoredPage, StoredPage, StoredPage];
  await t.rejects(first.check(), { code: 'storage-failed' });
  await t.rejects(second.check(), { code: 'storage-failed' });
  await t.resolves(third.check());
});

t.test('kept scans: one key, the same scan; another request with it is rejected; after an hour it is free', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { start, clock } = await rig(t, driver);
  const [one, two] = await Promise.all([start({ key: 'k', body: 'a' }), start({ key: 'k', body: 'a' })]);
  t.equal(one?.scan, two?.scan);
  t.same([one?.isNew, two?.isNew], [true, false]);
  await ended(one?.scan as KeptScan);
  await t.rejects(start({ key: 'k', body: 'b' }), { code: 'invalid-value', field: 'Idempotency-Key' });
  await clock.advance(KEY_MS);
  driver.load(1);
  t.equal((await start({ key: 'k', body: 'b' })).isNew, true);
});

t.test('kept scans: no room, delivered scans go first; then a new scan is refused', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { start, kept } = await rig(t, driver, undefined, { keepBytes: 1 });
  const { scan } = await start();
  await ended(scan);
  driver.load(1);
  await t.rejects(start(), { code: 'storage-full' });
  t.equal(driver.fed, 1);
  for (const page of scan.pages) page.deliver();
  t.equal((await start()).isNew, true);
  t.equal(kept.find(origin, scan.id), undefined);
});

t.test('kept scans: a jam, the scan goes on with the next sheet; refused to go on, it stays as it was', async t => {
  const driver = fakeDriver({ sheets: 3, faults: { 2: 'paper-jam' } });
  const { start, kept } = await rig(t, driver);
  const { scan } = await start();
  t.match(await ended(scan), { state: 'failed', code: 'paper-jam' });
  t.equal(scan.pages.length, 1);
  driver.unplug();
  await t.rejects(kept.continue(scan), { code: 'device-offline' });
  t.match(scan, { state: 'failed', code: 'paper-jam' });
  driver.plug();
  driver.clearFaults();
  await kept.continue(scan);
  t.match(await ended(scan), { state: 'completed', code: undefined, error: undefined });
  t.same(
    scan.pages.map(({ page }) => [page.pageNumber, page.sheet]),
    scan.pages.map((_, at) => [at + 1, at + 1]),
  );
  t.ok(scan.pages.length > 1);
});

t.test('kept scans: the service is stopped in a scan, interrupted; the old call says cancelled', async t => {
  for (const old of [false, true]) {
    const { kept, start, scans } = await rig(t, fakeDriver({ sheets: 3 }));
    const collecting = old ? kept.collect({ origin, request: request() }) : undefined;
    const scan = old ? undefined : (await start()).scan;
    await scans.close('The service is stopping.');
    if (collecting) t.match(await collecting.run.over, { code: 'cancelled', message: 'The service is stopping.' });
    else t.match(await ended(scan as KeptScan), { state: 'interrupted', code: 'service-ended' });
  }
});

t.test('kept scans: too old, discarded with a warning', async t => {
  const { start, kept, clock, log } = await rig(t, fakeDriver({ sheets: 1 }));
  const { scan } = await start();
  await ended(scan);
  await clock.advance(24 * KEY_MS);
  t.equal(kept.find(origin, scan.id), undefined);
  t.match(log.lines.at(-1), /1 of its pages/);
});

t.test('collect: its client has the answer, it goes; its client is gone, it stays', async t => {
  const driver = fakeDriver({ sheets: 1 });
  const { kept } = await rig(t, driver);
  const first = kept.collect({ origin, request: request() });
  t.equal(await first.run.over, undefined);
  t.equal(first.pages.length, 1);
  await first.end(true);
  t.same(kept.list(origin), []);
  driver.load(1);
  const second = kept.collect({ origin, request: request() });
  second.run.end(new ScanError('cancelled', 'gone'));
  await second.end(false);
  t.same(
    kept.list(origin).map(({ pages }) => pages.length),
    second.pages.length > 0 ? [1] : [],
  );
});
