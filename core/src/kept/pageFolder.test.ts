/** Pages in folders that somebody damaged, and what stays in memory of a page. */
import {
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
  chown,
  rename,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import { optionsWith } from '../service.test.kit.js';
import { folderOf, hexOf } from './keptScans.test.kit.js';
import { openScanStore } from './scanStore.js';
import { pageOf } from './storedPage.test.kit.js';
import type { KeptFacts, ScanFacts } from './scanFacts.js';
import type { PageStore } from './storedPage.js';

const id = '0b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f';
const other = '1b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f';
const factsOf = (its: string): ScanFacts => ({
  id: its,
  kind: 'scan',
  origins: [''],
  createdAt: 5,
  request: { scannerName: 'Desk', options: optionsWith() },
  state: 'completed',
  notes: [],
});
const hex = (n: number, size = 10): string => Buffer.alloc(size, n).toString('hex');

/** Two scans of three pages each; tests damage the first one. */
async function place(t: Test) {
  const folder = await folderOf(t);
  const scans = join(folder, 'scans');
  const log = recordingLog();
  const open = async () => {
    const { create, read } = await openScanStore(scans, log);
    return { create, found: await read() };
  };
  const store = await open();
  for (const each of [id, other]) {
    const its = store.create(factsOf(each));
    for (const n of [1, 2, 3]) await its.keep(pageOf(n), false);
  }
  /** The next run: checks that the other scan is complete. */
  const reopen = async (): Promise<PageStore<KeptFacts> | undefined> => {
    const { found } = await open();
    const whole = found.find(({ facts }) => facts.id === other);
    t.same(await Promise.all((whole?.found ?? []).map(hexOf)), [hex(1), hex(2), hex(3)], 'the other one is whole');
    return found.find(({ facts }) => facts.id === id);
  };
  return { folder, scans, dir: join(scans, id), log, open, reopen };
}

/** Pages by number: their bytes, or the code of their failure. */
const pagesOf = async (store: PageStore<KeptFacts> | undefined): Promise<[number, string][]> =>
  Promise.all(
    (store?.found ?? []).map(async page => [
      page.page.pageNumber,
      await hexOf(page).catch((error: { code: string }) => error.code),
    ]),
  );

const damages: Readonly<Record<string, (at: (name: string) => string) => Promise<unknown>>> = {
  'its file is truncated': at => truncate(at('2.page'), 3),
  'its file has other bytes': at => writeFile(at('2.page'), Buffer.alloc(10, 7)),
  'its file is gone': at => rm(at('2.page')),
  'its file is a link to a copy with other bytes': async at => {
    await rm(at('2.page'));
    await symlink(at('1.page'), at('2.page'));
  },
  'its file is a folder': async at => {
    await rm(at('2.page'));
    await mkdir(at('2.page'));
  },
  'its facts are cut off': at => truncate(at('2.json'), 20),
  'its facts are empty': at => writeFile(at('2.json'), ''),
  'its facts have no page': at => writeFile(at('2.json'), '{"page":null,"size":10,"sha256":""}'),
  'its facts have no more than its numbers and its digest': async at => {
    const { size, sha256 } = JSON.parse(await readFile(at('2.json'), 'utf8')) as { size: number; sha256: string };
    await writeFile(at('2.json'), JSON.stringify({ page: { pageNumber: 2, sheet: 2 }, size, sha256 }));
  },
  'its facts have a media type that no header takes': async at =>
    writeFile(at('2.json'), (await readFile(at('2.json'), 'utf8')).replace('image/png', String.raw`image/png\n`)),
  'its facts are of another page': async at => writeFile(at('2.json'), await readFile(at('1.json'))),
};
for (const [damage, damaging] of Object.entries(damages)) {
  t.test(
    `page folder: ${damage}, that page is refused and the others are there`,
    { skip: process.platform === 'win32' && damage.includes('link') && 'links take rights on Windows' },
    async t => {
      const { dir, reopen } = await place(t);
      await damaging(name => join(dir, name));
      const found = await reopen();
      t.same(await pagesOf(found), [
        [1, hex(1)],
        [2, 'storage-failed'],
        [3, hex(3)],
      ]);
      t.same(await pagesOf(await reopen()), await pagesOf(found), 'and again in the next run');
      const { problem } = (await found?.keep(pageOf(4), false)) ?? {};
      t.equal(problem, undefined);
      t.equal((await pagesOf(await reopen())).length, 4, 'it goes on after its last number');
    },
  );
}

t.test('page folder: a part of a page is no longer what answers give, that page is damaged', async t => {
  const parts = [{ report: [{ parameter: 'a' }] }, { barcodes: [{ text: 5 }] }, { blank: {} }, { patch: 1 }];
  for (const part of parts) {
    const { dir, reopen } = await place(t);
    const facts = JSON.parse(await readFile(join(dir, '2.json'), 'utf8')) as { page: object };
    await writeFile(join(dir, '2.json'), JSON.stringify({ ...facts, page: { ...facts.page, ...part } }));
    t.same(await pagesOf(await reopen()), [
      [1, hex(1)],
      [2, 'storage-failed'],
      [3, hex(3)],
    ]);
  }
});

t.test('page folder: last page damaged, its number is not used again and its image stays', async t => {
  const { dir, reopen } = await place(t);
  await writeFile(join(dir, '3.json'), '');
  const found = await reopen();
  t.equal(found?.found.at(-1)?.page.pageNumber, 3);
  t.match(await found?.keep(pageOf(3, Buffer.alloc(5)), false), { problem: { code: 'storage-failed' } });
  t.same(await readFile(join(dir, '3.page')), Buffer.alloc(10, 3));
});

t.test('page folder: facts of the scan damaged, its pages stay on disk and the log names the folder', async t => {
  const wrong = [
    { createdAt: 1e17 },
    { notes: [null] },
    { notes: [{ text: 'a' }] },
    { error: 5 },
    { endedAt: 'b' },
  ].map(each => JSON.stringify({ ...factsOf(id), ...each }));
  for (const text of ['', '{"id":', 'null', '{"id":"x"}', ...wrong]) {
    const { dir, reopen, log } = await place(t);
    await writeFile(join(dir, 'facts.json'), text);
    t.equal(await reopen(), undefined);
    t.match(log.lines, [new RegExp(`^warn: .*${id}`)]);
    t.ok((await readdir(dir)).includes('3.page'));
    for (const n of [1, 2, 3]) await rename(join(dir, `${n}.json`), join(dir, `${n}.sent.json`));
    t.equal(await reopen(), undefined);
    await t.rejects(readdir(dir), { code: 'ENOENT' }, 'its client has every page: it goes');
  }
});

t.test(
  'page folder: the service was killed while it wrote, only whole pages are listed and no draft stays',
  async t => {
    const { dir, reopen } = await place(t);
    await writeFile(join(dir, '4.page'), 'torn');
    for (const name of ['5.json.draft', 'facts.json.draft']) await writeFile(join(dir, name), '{');
    t.equal((await pagesOf(await reopen())).length, 3);
    t.same((await readdir(dir)).sort(), ['1.json', '1.page', '2.json', '2.page', '3.json', '3.page', 'facts.json']);
  },
);

t.test(
  'page folder: foreign files, folders and links, neither read nor removed',
  { skip: process.platform === 'win32' && 'links take rights on Windows' },
  async t => {
    const { folder, scans, dir, reopen } = await place(t);
    await writeFile(join(folder, 'thesis.odt'), 'mine');
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await symlink(join(folder, 'thesis.odt'), join(dir, '7.json'));
    await symlink(join(folder, 'thesis.odt'), join(dir, '8.page'));
    await mkdir(join(dir, '9.page'));
    await symlink(folder, join(scans, '2b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f'));
    await mkdir(join(scans, 'mine'));
    await writeFile(join(scans, '3b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f'), 'mine');
    const before = (await readdir(scans, { recursive: true })).sort();
    const found = await reopen();
    t.equal((await pagesOf(found)).length, 3);
    t.same((await readdir(scans, { recursive: true })).sort(), before);
    await found?.remove();
    t.same((await readdir(dir)).sort(), ['7.json', '8.page', '9.page', 'notes.txt']);
    t.equal(await reopen(), undefined);
    t.equal(await readFile(join(folder, 'thesis.odt'), 'utf8'), 'mine');
  },
);

t.test('page folder: a copy under another name, not listed', async t => {
  const { scans, dir, open } = await place(t);
  const copy = join(scans, '4b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f');
  await mkdir(copy);
  for (const name of await readdir(dir)) await writeFile(join(copy, name), await readFile(join(dir, name)));
  t.equal((await open()).found.length, 2);
  t.equal((await readdir(copy)).length, 7);
});

t.test(
  'page folder: belongs to another account, not used and not removed',
  { skip: process.getuid?.() !== 0 && 'only root can make one' },
  async t => {
    const { dir, reopen, log, scans, open } = await place(t);
    await chown(dir, 65534, 65534);
    t.equal(await reopen(), undefined);
    t.match(log.lines, [new RegExp(`^warn: .*${id}`)]);
    t.equal((await readdir(dir)).length, 7);
    await chown(scans, 65534, 65534);
    await t.rejects(open(), { code: 'storage-failed' });
  },
);

t.test('page folder: a part of a page is read, its bytes and no others', async t => {
  const { reopen } = await place(t);
  const [page] = (await reopen())?.found ?? [];
  for (const [start, end] of [
    [0, 1],
    [3, 7],
    [9, 10],
    [0, 10],
    [5, 5],
  ] as const) {
    let size = 0;
    for await (const slice of page!.read(4, start, end)) size += slice.length;
    t.equal(size, end - start);
  }
});

t.test('page folder: two clients check a page at once, both get the answer; it is read once', async t => {
  const { dir, reopen } = await place(t);
  const [page] = (await reopen())?.found ?? [];
  await Promise.all([page!.check(), page!.check()]);
  const old = new Date(5000);
  await utimes(join(dir, '1.page'), old, old);
  await page!.check();
  t.ok((await stat(join(dir, '1.page'))).isFile());
});

t.test('page folder: a page was stored, nothing holds its bytes', async t => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const { open } = await place(t);
  const store = (await open()).create(factsOf('5b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f'));
  const refs: WeakRef<Uint8Array>[] = [];
  const pages: unknown[] = [];
  for (let n = 1; n <= 3; n++)
    await (async () => {
      const data = new Uint8Array(100_000);
      refs.push(new WeakRef(data));
      pages.push((await store.keep(pageOf(n, data), false)).stored);
    })();
  // Only a test's time limit ends it.
  while (refs.some(each => each.deref() !== undefined)) {
    await breathe();
    collect();
  }
  t.equal(pages.length, 3);
});
