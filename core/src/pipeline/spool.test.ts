/** Encoded pages in memory and on disk: bounded, private, complete, and removed when freed. */
import t from 'tap';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSpool, type KeptBytes } from './spool.js';

const bytes = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, i) => (from + i) & 0xff);

async function read(kept: KeptBytes, slice: number): Promise<{ all: Buffer; sizes: number[] }> {
  const slices: Uint8Array[] = [];
  for await (const each of kept.read(slice)) slices.push(Buffer.from(each));
  return { all: Buffer.concat(slices), sizes: slices.map(each => each.byteLength) };
}

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
const windows = process.platform === 'win32' && 'Windows has no such modes';

t.test(
  'openSpool: missing or used folder, made private; old pages are removed, other files stay',
  { skip: windows },
  async t => {
    const [page, folder, linked] = [randomUUID(), randomUUID(), randomUUID()];
    const theirs = {
      crontabs: { root: 'theirs' },
      [folder]: { kept: 'yes' },
      [linked]: t.fixture('symlink', '../precious'),
      'thesis.odt': 'theirs',
      [`${page}.png`]: 'theirs',
    };
    const dir = t.testdir({ spool: { [page]: 'page', ...theirs }, precious: 'yes' });
    await chmod(join(dir, 'spool'), 0o755);
    const spool = await openSpool(join(dir, 'spool'), 0);
    t.same((await readdir(join(dir, 'spool'))).sort(), Object.keys(theirs).sort());
    t.same(await readdir(join(dir, 'spool', folder)), ['kept']);
    t.equal(await modeOf(join(dir, 'spool')), 0o700);
    await spool.check();
    await openSpool(join(dir, 'new', 'spool'), 0);
    t.equal(await modeOf(join(dir, 'new', 'spool')), 0o700);
  },
);

t.test('openSpool: a link, not followed', { skip: windows }, async t => {
  const page = randomUUID();
  const dir = t.testdir({ spool: t.fixture('symlink', 'victim'), victim: { [page]: 'theirs' } });
  await chmod(join(dir, 'victim'), 0o755);
  await t.rejects(openSpool(join(dir, 'spool'), 0), { code: 'storage-failed' });
  t.same(await readdir(join(dir, 'victim')), [page]);
  t.equal(await modeOf(join(dir, 'victim')), 0o755);
});

t.test('put: up to the limit of all shelves, in memory; beyond it, in files that only the owner can read', async t => {
  const folder = join(t.testdir({}), 'spool');
  const spool = await openSpool(folder, 10);
  const [one, two] = [spool.shelf(), spool.shelf()];
  t.match(await one.put(bytes(6)), { kept: { size: 6 }, problem: undefined });
  await two.put(bytes(4));
  t.same(await readdir(folder), [], 'to the last byte');
  const { kept } = await two.put(bytes(1, 9));
  const files = await readdir(folder);
  t.equal(files.length, 1);
  if (!windows) t.equal(await modeOf(join(folder, files[0] ?? '')), 0o600);
  t.same(await read(kept, 3), { all: Buffer.from([9]), sizes: [1] });
});

t.test('read: from memory or disk, slices of exactly the size, the last one shorter, repeatable', async t => {
  const folder = t.testdir({});
  for (const memory of [0, 1000]) {
    const shelf = (await openSpool(folder, memory)).shelf();
    for (const [size, slice, sizes] of [
      [10, 3, [3, 3, 3, 1]],
      [9, 3, [3, 3, 3]],
      [2, 3, [2]],
      [0, 3, []],
    ] as const) {
      const { kept } = await shelf.put(bytes(size));
      for (const time of ['once', 'again'])
        t.same(
          await read(kept, slice),
          { all: Buffer.from(bytes(size)), sizes },
          `${size} by ${slice}, ${time}, memory ${memory}`,
        );
    }
    await shelf.clear();
  }
});

t.test('read: the reader leaves early, no file stays open', async t => {
  const folder = t.testdir({});
  const shelf = (await openSpool(folder, 0)).shelf();
  const { kept } = await shelf.put(bytes(100));
  const slices = kept.read(10)[Symbol.asyncIterator]();
  await slices.next();
  await slices.return?.();
  t.same(await slices.next(), { done: true, value: undefined });
});

t.test('clear: one shelf, its files and memory are freed, others stay', async t => {
  const folder = t.testdir({});
  const spool = await openSpool(folder, 10);
  const [one, two] = [spool.shelf(), spool.shelf()];
  await one.put(bytes(10));
  await one.put(bytes(5));
  const { kept } = await two.put(bytes(5, 3));
  t.equal((await readdir(folder)).length, 2);
  await one.clear();
  await one.clear();
  t.equal((await readdir(folder)).length, 1);
  t.same((await read(kept, 99)).all, Buffer.from(bytes(5, 3)));
  await two.put(bytes(10));
  t.equal((await readdir(folder)).length, 1, 'the memory is free again');
  await two.put(bytes(1));
  t.equal((await readdir(folder)).length, 2, 'and was not freed twice');
});

t.test('clear: a write is pending, waits for it', async t => {
  const folder = t.testdir({});
  const spool = await openSpool(folder, 10);
  const shelf = spool.shelf();
  await shelf.put(bytes(10));
  const writing = shelf.put(bytes(100_000));
  await shelf.clear();
  t.same(await readdir(folder), [], 'nothing is left behind');
  await writing;
  await spool.shelf().put(bytes(10));
  t.same(await readdir(folder), []);
});

t.test('put: the write fails, the page is kept and the problem returned', async t => {
  const dir = t.testdir({});
  const folder = join(dir, 'spool');
  const spool = await openSpool(folder, 4);
  const shelf = spool.shelf();
  await rm(folder, { recursive: true });
  const { kept, problem } = await shelf.put(bytes(9));
  t.match(problem, {
    code: 'storage-failed',
    message: new RegExp(`${folder}: ENOENT`),
  });
  t.same(await read(kept, 4), { all: Buffer.from(bytes(9)), sizes: [4, 4, 1] });
  await t.rejects(spool.check(), { code: 'ENOENT' });
  await shelf.clear();

  await mkdir(folder);
  await spool.check();
  t.same((await shelf.put(bytes(4))).problem, undefined, 'its memory was freed');
  t.same(await readdir(folder), []);
  t.same((await shelf.put(bytes(4))).problem, undefined, 'the disk is back');
  t.equal((await readdir(folder)).length, 1);
});

t.test('openSpool: the folder is a file, rejected', async t => {
  const dir = t.testdir({});
  await writeFile(join(dir, 'spool'), 'no folder');
  await t.rejects(openSpool(join(dir, 'spool'), 0), { code: /EEXIST|ENOTDIR/ });
});
