/** Pages that wait for a slow step: the device goes on, they wait on disk, and come in order and whole. */
import { createByteBudget } from '../work/byteBudget.js';
import { readdir } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { RawPage } from '../contract/page.js';
import { ScanError } from '../contract/errors.js';
import { backlog } from './backlog.js';
import { openSpool, type Spool } from './spool.js';

const SIZE = 2 * 1024 * 1024;

function page(sheet: number): RawPage {
  const data = new Uint8Array(SIZE).fill(sheet);
  return { kind: 'raw', sheet, side: 'front', width: SIZE, height: 1, dpi: 300, pixels: 'gray8', stride: SIZE, data };
}

interface Device extends AsyncIterable<RawPage> {
  pulled: number;
  returned: number;
}

/** @param error after the last page */
function device(count: number, error?: unknown): Device {
  const made: Device = {
    pulled: 0,
    returned: 0,
    [Symbol.asyncIterator]: () => ({
      async next() {
        await breathe();
        if (made.pulled < count) return { done: false, value: page(++made.pulled) };
        if (error !== undefined) throw error;
        return { done: true, value: undefined };
      },
      async return() {
        made.returned++;
        return { done: true, value: undefined };
      },
    }),
  };
  return made;
}

async function rig(t: Test): Promise<{ folder: string; spool: Spool; files(): Promise<number> }> {
  const folder = `${t.testdir({})}/spool`;
  const spool = await openSpool(folder, 64 * SIZE);
  return { folder, spool, files: async () => (await readdir(folder)).length };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await breathe();
}

t.test('backlog: the device is not kept waiting, pages wait on disk and come in order', async t => {
  const { spool, files } = await rig(t);
  const source = device(6);
  const waited: number[] = [];
  const pages = backlog(source, { spool, budget: createByteBudget(100 * SIZE) }, ({ sheet }) => waited.push(sheet));
  const first = await pages.next();
  t.equal(first.value?.sheet, 1);
  await until(() => source.pulled === 6);
  await until(() => spool.used.disk === 5 * SIZE);
  t.equal(spool.used.memory, 0);
  t.equal(await files(), 5);
  for (let sheet = 2; sheet <= 6; sheet++) {
    const { value } = await pages.next();
    t.equal(value?.sheet, sheet);
    t.ok(value?.data.length === SIZE && value.data.every(byte => byte === sheet), 'it is whole');
    t.equal(await files(), 6 - sheet, 'its file is gone');
  }
  t.strictSame(await pages.next(), { done: true, value: undefined });
  t.strictSame(waited, [2, 3, 4, 5, 6]);
});

t.test('backlog: beyond its bytes, the device waits', async t => {
  const { spool } = await rig(t);
  const source = device(9);
  const pages = backlog(source, { spool, budget: createByteBudget(2 * SIZE) });
  await pages.next();
  await until(() => source.pulled === 3);
  for (let turn = 0; turn < 50; turn++) await breathe();
  t.equal(source.pulled, 3);
  const sheets = [];
  for await (const { sheet } of pages) sheets.push(sheet);
  t.strictSame(sheets, [2, 3, 4, 5, 6, 7, 8, 9]);
});

t.test('backlog: the device fails, the pages that wait come first', async t => {
  const { spool, files } = await rig(t);
  const pages = backlog(device(3, new ScanError('paper-jam', 'A jam.')), {
    spool,
    budget: createByteBudget(100 * SIZE),
  });
  const sheets: number[] = [];
  await t.rejects(
    (async () => {
      for await (const { sheet } of pages) {
        sheets.push(sheet);
        for (let turn = 0; turn < 50; turn++) await breathe();
      }
    })(),
    { code: 'paper-jam' },
  );
  t.strictSame(sheets, [1, 2, 3]);
  t.equal(await files(), 0);
});

t.test('backlog: a reader that leaves ends the device, and no file is left', async t => {
  const { spool, files } = await rig(t);
  const source = device(100);
  const pages = backlog(source, { spool, budget: createByteBudget(4 * SIZE) });
  await pages.next();
  await until(async () => (await files()) >= 3);
  await pages.return();
  t.equal(source.returned, 1);
  t.equal(await files(), 0);
});

t.test('backlog: a disk that takes nothing, every page comes and the device waits', async t => {
  const { spool } = await rig(t);
  const full: Pick<Spool, 'shelf'> = {
    shelf: () => ({
      ...spool.shelf(),
      put: async bytes => ({ ...(await spool.shelf().put(bytes)), problem: new ScanError('storage-failed', 'Full.') }),
    }),
  };
  const source = device(5);
  const pages = backlog(source, { spool: full, budget: createByteBudget(100 * SIZE) });
  await pages.next();
  for (let turn = 0; turn < 50; turn++) await breathe();
  t.equal(source.pulled, 2, 'one waits in memory');
  const sheets = [];
  for await (const { sheet, data } of pages) sheets.push([sheet, data[0]]);
  t.strictSame(
    sheets,
    [2, 3, 4, 5].map(sheet => [sheet, sheet]),
  );
});
