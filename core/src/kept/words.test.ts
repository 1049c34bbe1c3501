/** Words of a page's text: stored beside the page, read when a document needs them. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk, recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { Word } from '../contract/recogniser.js';
import { openSpool } from '../pipeline/spool.js';
import { optionsWith } from '../service.test.kit.js';
import type { ScanFacts } from './scanFacts.js';
import { folderOf, hexOf } from './keptScans.test.kit.js';
import { openScanStore, spoolStore } from './scanStore.js';
import type { PageStore } from './storedPage.js';
import { pageOf } from './storedPage.test.kit.js';

const words: readonly Word[] = [
  { text: 'Harbour', confidence: 0.96, x: 10, y: 20, width: 90, height: 24, line: 1 },
  { text: 'Straße…', confidence: 0.5, x: 110, y: 20, width: 80, height: 24, line: 1 },
];
const facts: ScanFacts = {
  id: '0b6f9a52-6f3e-4d0c-9a3e-1f2f3c4d5e6f',
  kind: 'scan',
  origins: [''],
  createdAt: 5,
  request: { scannerName: 'Desk', options: optionsWith() },
  state: 'completed',
  notes: [],
};

async function folder(t: Test) {
  const scans = join(await folderOf(t), 'scans');
  const open = async () => openScanStore(scans, recordingLog());
  const create = async () => (await open()).create(facts);
  const found = async () => (await (await open()).read())[0];
  return { dir: join(scans, facts.id), create, found };
}
async function three(store: PageStore<ScanFacts>) {
  const pages = [{ ...pageOf(1), words }, { ...pageOf(2), words: [] }, pageOf(3)];
  return Promise.all(pages.map(async each => (await store.keep(each, false)).stored));
}

t.test('words: a folder, the same words, none, or not read; and in the next run', async t => {
  const { create, found, dir } = await folder(t);
  const stored = await three(await create());
  for (const pages of [stored, (await found())?.found ?? []]) {
    t.same(await Promise.all(pages.map(each => each.words())), [words, [], undefined]);
    t.same(
      pages.map(({ hasWords }) => hasWords),
      [true, true, undefined],
    );
    t.notOk(pages.some(({ page }) => 'words' in page));
  }
  stored[0]?.drop();
  await (await found())?.remove();
  await t.rejects(readdir(dir), { code: 'ENOENT' }, 'they go with the scan');
});

t.test('words: the spool, the same words', async t => {
  for (const memory of [1e9, 0]) {
    const store = spoolStore(await openSpool(await folderOf(t), memory)).create(facts);
    const stored = await three(store);
    t.same(await Promise.all(stored.map(each => each.words())), [words, [], undefined]);
    await store.remove();
  }
});

t.test('words: their file is damaged, storage-failed; the page is served', async t => {
  const { create, found, dir } = await folder(t);
  await three(await create());
  const file = join(dir, '1.words.json');
  for (const text of ['', '[', 'null', '{}', '[{"text":5}]', '[{"text":"a","x":1}]', '[null]']) {
    await writeFile(file, text);
    const [page] = (await found())?.found ?? [];
    await t.rejects(page!.words(), { code: 'storage-failed' }, text);
    t.ok(await hexOf(page!));
  }
  await rm(file);
  await t.rejects((await found())!.found[0]!.words(), { code: 'storage-failed' });
});

t.test('words: the service was killed before their page was whole, they are removed', async t => {
  const { create, found, dir } = await folder(t);
  await three(await create());
  await writeFile(join(dir, '4.words.json'), JSON.stringify(words));
  t.equal((await found())?.found.length, 3);
  t.same(
    (await readdir(dir)).filter(name => name.includes('words')),
    ['1.words.json', '2.words.json'],
  );
});

t.test(
  'words: the disk is full, they wait in memory with their page, then both are written',
  { skip: lackingDisks() },
  async t => {
    const dir = await folderOf(t);
    const disk = mountSmallDisk(dir, '400k');
    t.teardown(() => disk.unmount());
    const open = async () => openScanStore(join(dir, 'scans'), recordingLog());
    const store = (await open()).create(facts);
    await store.begin();
    await disk.fill();
    const { stored, problem } = await store.keep({ ...pageOf(1, new Uint8Array(9000)), words }, false);
    t.match(problem, { code: 'storage-failed' });
    t.same(await stored.words(), words);
    await disk.free();
    await store.save();
    t.same(await stored.words(), words);
    t.same(await (await (await open()).read())[0]?.found[0]?.words(), words);
  },
);
