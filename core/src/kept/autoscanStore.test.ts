/** Files on disk, and what the service's next run finds of them. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { FinishedPage } from '../pipeline/finish.js';
import type { AutoscanFacts } from './scanFacts.js';
import { isAutoscan, openScanStore, type FoundScan } from './scanStore.js';
import type { StoredPage } from './storedPage.js';
import { pageOf } from './storedPage.test.kit.js';

const ID = '0b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f';
const facts: AutoscanFacts = {
  id: ID,
  kind: 'autoscan',
  createdAt: 5,
  series: '123456789012345',
  origins: ['https://shop.example'],
  scannerName: 'Desk',
};

async function place(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-boxes-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const log: string[] = [];
  const say = (line: string) => void log.push(line);
  const kept = join(folder, 'scans');
  const open = async () => {
    const { create, read } = await openScanStore(kept, { debug: say, info: say, warn: say, error: say });
    return { create, found: (await read()).filter(isAutoscan) as FoundScan<AutoscanFacts>[] };
  };
  return { folder, kept, box: join(kept, ID), log, open };
}

const page = (n: number): FinishedPage => pageOf(n, new Uint8Array(10).fill(n));

async function bytesOf(page: StoredPage): Promise<number[]> {
  const all: number[] = [];
  for await (const slice of page.read(4)) all.push(...slice);
  return all;
}

t.test('auto-scans: next run, pages and facts are found byte for byte; files are private', async t => {
  const { open, box } = await place(t);
  const own = (await open()).create(facts);
  await t.rejects(readdir(box), 'nothing before the first page');
  const { stored: kept, problem } = await own.keep(page(1), true);
  t.equal(problem, undefined);
  await own.keep(page(2), false);
  kept.deliver();
  await own.tell({ end: { event: 'disabled', reason: 'failing', message: 'why' }, endedAt: 7 });
  t.same((await readdir(box)).sort(), ['1.page', '1.sent.json', '2.json', '2.page', 'facts.json']);
  if (process.platform !== 'win32') {
    for (const name of await readdir(box)) t.equal((await stat(join(box, name))).mode & 0o777, 0o600, name);
    t.equal((await stat(box)).mode & 0o777, 0o700);
  }
  const [found] = (await open()).found;
  t.match(found?.facts, { ...facts, end: { event: 'disabled', reason: 'failing', message: 'why' }, endedAt: 7 });
  t.same(
    found?.found.map(({ page, delivered, report }) => [page.pageNumber, delivered, report, page.ocrText]),
    [
      [1, true, true, 'é\n'],
      [2, false, false, 'é\n'],
    ],
  );
  for (const stored of found?.found ?? [])
    t.same(
      await bytesOf(stored),
      Array.from({ length: 10 }, () => stored.page.pageNumber),
    );
});

t.test('auto-scans: dropped or removed, gone in this run and the next', async t => {
  const { open, kept, box } = await place(t);
  const own = (await open()).create(facts);
  const { stored: first } = await own.keep(page(1), false);
  await own.keep(page(2), false);
  first.drop();
  await own.settled();
  t.same((await readdir(box)).sort(), ['2.json', '2.page', 'facts.json']);
  const [found] = (await open()).found;
  found?.found[0]?.deliver();
  await found?.settled();
  t.ok((await readdir(box)).includes('2.sent.json'));
  await found?.remove();
  t.same(await readdir(kept), []);
  first.drop();
  await own.settled();
});

t.test('auto-scans: the run was killed at any moment, no partial page is listed and no draft stays', async t => {
  const { open, box, kept, log } = await place(t);
  const own = (await open()).create(facts);
  for (const n of [1, 2, 3, 4]) await own.keep(page(n), false);
  await rm(join(box, '2.json'));
  await writeFile(join(box, '3.page'), 'short');
  await writeFile(join(box, '4.json'), '{"page"');
  for (const name of ['5.page', '5.json.draft', 'facts.json.draft']) await writeFile(join(box, name), '{');
  const [found] = (await open()).found;
  t.same(
    found?.found.map(({ page }) => page.pageNumber),
    [1, 3, 4],
  );
  t.same(
    [...(found?.damaged ?? [])].map(({ page }) => page.pageNumber),
    [3, 4],
  );
  t.same((await readdir(box)).sort(), ['1.json', '1.page', '3.json', '3.page', '4.json', '4.page', 'facts.json']);
  for (const n of [3, 4])
    t.ok(
      log.some(line => line.includes(`Page ${n} `)),
      'lost pages are logged',
    );
  // Half-removed box.
  await rm(join(box, 'facts.json'));
  t.same((await open()).found, []);
  t.same(await readdir(kept), []);
});

t.test(
  'auto-scans: facts.json emptied by a power failure, undelivered pages stay and the log names the folder',
  async t => {
    const { open, box, log } = await place(t);
    const own = (await open()).create(facts);
    const { stored: kept } = await own.keep(page(1), false);
    await own.settled();
    await writeFile(join(box, 'facts.json'), '');
    t.same((await open()).found, []);
    t.ok((await readdir(box)).includes('1.page'));
    t.match(log, [new RegExp(ID)]);
    kept.deliver();
    await own.settled();
    t.same((await open()).found, []);
    await t.rejects(readdir(box), 'delivered pages are removed');
  },
);

t.test('auto-scans: an id that is none of ours, its pages stay and the log names the folder', async t => {
  const { open, box, log } = await place(t);
  const own = (await open()).create(facts);
  await own.keep(page(1), false);
  await own.settled();
  await writeFile(join(box, 'facts.json'), JSON.stringify({ ...facts, id: '\ud800' }));
  t.same((await open()).found, []);
  t.ok((await readdir(box)).includes('1.page'));
  t.match(log, [new RegExp(ID)]);
});

t.test(
  'auto-scans: foreign files and links, neither read nor removed',
  { skip: process.platform === 'win32' && 'links take rights on Windows' },
  async t => {
    const { open, folder, kept } = await place(t);
    const victim = join(folder, 'victim');
    await mkdir(kept, { recursive: true });
    await mkdir(victim);
    await writeFile(join(victim, '1.page'), 'mine');
    await symlink(victim, join(kept, ID));
    const other = join(kept, '1b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f');
    await mkdir(other);
    await writeFile(join(other, 'thesis.odt'), 'mine');
    await symlink(join(victim, '1.page'), join(other, '1.json'));
    await mkdir(join(kept, 'mine'));
    t.same((await open()).found, []);
    t.equal(await readFile(join(victim, '1.page'), 'utf8'), 'mine');
    t.same((await readdir(other)).sort(), ['1.json', 'thesis.odt']);
    t.ok((await readdir(kept)).includes('mine'));
  },
);

t.test('auto-scans: disk full, the page stays in memory with the problem; the next page is tried again', async t => {
  const { open, box, kept } = await place(t);
  const own = (await open()).create(facts);
  await writeFile(box, 'in the way');
  const { stored: first, problem } = await own.keep(page(1), false);
  t.match(problem, { code: 'storage-failed' });
  t.same(
    await bytesOf(first),
    Array.from({ length: 10 }, () => 1),
  );
  first.deliver();
  first.drop();
  await rm(box);
  t.equal((await own.keep(page(2), false)).problem, undefined);
  await own.remove();
  t.same(await readdir(kept), []);
});
