/** A store that was damaged while no service ran: the service starts, says what is wrong, and serves the rest. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { logged } from '../spec/calls.js';
import { refusedStart } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { keptFolder, keptIds } from './keptFolder.js';
import {
  continueScan,
  deleteScan,
  ended,
  findScan,
  listScans,
  pageOf,
  pagePath,
  sha256,
  startScan,
  type ScanResource,
} from '../spec/scanCalls.js';

async function isServed(t: Test, fixture: Fixture, { id, pages }: ScanResource, number: number): Promise<void> {
  const { status, bytes } = await pageOf(fixture, id, number);
  t.match({ status, digest: sha256(bytes) }, { status: 200, digest: pages[number - 1]?.sha256 }, `page ${number}`);
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

let fixture = await topology.start();
t.teardown(async () => {
  const { code, log } = await fixture.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
});
const at = (...path: string[]): string => join(fixture.dataDir, 'scans', ...path);

/** A scan of six pages. */
async function stored(): Promise<ScanResource> {
  await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6));
  const { json } = await startScan(fixture, 'duplex');
  const scan = await ended(fixture, json.id);
  if (scan.pages.length !== 6) throw new Error(`${scan.pages.length} pages`);
  return scan;
}

/** Each is damaged in another way while no service runs. */
const [images, facts, huge, stranger, whole] = [
  await stored(),
  await stored(),
  await stored(),
  await stored(),
  await stored(),
] as const;
fixture.signal('SIGTERM');
await fixture.ended;

await truncate(at(images.id, '1.page'), 100);
await flip(at(images.id, '2.page'));
await unlink(at(images.id, '3.page'));

await writeFile(at(facts.id, '3.json'), '{"page":');
await writeFile(at(facts.id, '6.json'), '');
const unread = await Promise.all([3, 6].map(n => readFile(at(facts.id, `${n}.page`))));

const told = JSON.parse(await readFile(at(huge.id, '2.json'), 'utf8')) as object;
await writeFile(at(huge.id, '2.json'), JSON.stringify({ ...told, size: 9e15 }));

const elsewhere = await mkdtemp(join(tmpdir(), 'platen-elsewhere-'));
t.teardown(() => rm(elsewhere, { recursive: true, force: true }));
await writeFile(join(elsewhere, 'facts.json'), await readFile(at(stranger.id, 'facts.json')));
await writeFile(join(elsewhere, '1.page'), 'theirs');
const [link, copy, torn, foreign, bare] = Array.from({ length: 5 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
];
await symlink(elsewhere, at(link));
await mkdir(at('backup'));
await writeFile(at('backup', '1.page'), 'theirs');
await writeFile(at('notes.txt'), 'theirs');
await writeFile(at(stranger.id, 'notes.txt'), 'theirs');
// A copy of a scan is not the scan.
await mkdir(at(copy));
for (const name of await readdir(at(stranger.id)))
  await writeFile(at(copy, name), await readFile(at(stranger.id, name)));
// A page that somebody put there, linked to what is elsewhere.
await rename(at(stranger.id, '2.page'), join(elsewhere, '2.page'));
await symlink(join(elsewhere, '1.page'), at(stranger.id, '2.page'));

for (const [name, text] of [
  [torn, '{"id":'],
  [foreign, '{"id":5,"pages":"all"}'],
  [bare, undefined],
] as const) {
  await mkdir(at(name));
  await writeFile(at(name, '1.page'), 'an image');
  await writeFile(at(name, '1.json'), '{}');
  if (text !== undefined) await writeFile(at(name, 'facts.json'), text);
}

fixture = await fixture.again();

t.test('damaged store: facts of a scan are damaged or gone, the other scans are served', async t => {
  t.same(
    new Set((await listScans(fixture)).map(({ id }) => id)),
    new Set([images, facts, huge, stranger, whole].map(({ id }) => id)),
  );
  for (const number of [1, 2, 3, 4, 5, 6]) await isServed(t, fixture, whole, number);
  for (const name of [torn, foreign]) {
    t.ok(await logged(fixture, new RegExp(name)));
    t.same(keptFolder(fixture, name).images, [1], 'a person can still take its images');
  }
  t.notOk(existsSync(at(bare)), 'a scan that was half removed goes');
});

t.test('damaged store: image files truncated, changed or gone, those pages are refused, the others served', async t => {
  const { id } = images;
  for (const number of [1, 2, 3]) {
    const refused = await fixture.request('GET', pagePath(id, number));
    t.match(refused, { status: 500, headers: { 'platen-error': 'storage-failed' }, json: { success: false } });
    t.match((refused.json as { error: string }).error, new RegExp(`Page ${number} `));
    t.equal((await fixture.request('HEAD', pagePath(id, number))).status, 500);
    t.equal((await fixture.request('GET', `${pagePath(id, number)}?width=100`)).status, 500);
  }
  for (const number of [4, 5, 6]) await isServed(t, fixture, images, number);
  const { json } = await findScan(fixture, id);
  t.match(json, { state: 'completed', pageCount: 6 });
  t.same(
    json.pages.map(({ number, code }) => [number, code]),
    [1, 2, 3, 4, 5, 6].map(n => [n, n < 4 ? 'storage-failed' : undefined]),
  );
  t.match(await deleteScan(fixture, id), { status: 200 });
  t.notOk(keptIds(fixture).includes(id));
});

t.test('damaged store: a page’s facts are damaged, the others are served and no image is overwritten', async t => {
  const { id } = facts;
  t.ok(await logged(fixture, /3\.json/));
  t.ok(await logged(fixture, /6\.json/));
  const { json } = await findScan(fixture, id);
  t.same(
    json.pages.map(({ number, code }) => [number, code]),
    [1, 2, 3, 4, 5, 6].map(n => [n, n % 3 === 0 ? 'storage-failed' : undefined]),
  );
  for (const number of [1, 2, 4, 5]) await isServed(t, fixture, facts, number);
  for (const number of [3, 6])
    t.match(await pageOf(fixture, id, number), { status: 500, headers: { 'platen-error': 'storage-failed' } });
  await fixture.load('duplex', sheets(7));
  t.equal((await continueScan(fixture, id)).status, 200);
  const more = await ended(fixture, id);
  t.match(more, { state: 'completed', code: undefined });
  t.same(
    more.pages.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7],
  );
  await isServed(t, fixture, more, 7);
  const still = await Promise.all([3, 6].map(n => readFile(at(id, `${n}.page`))));
  t.same(still.map(sha256), unread.map(sha256), 'the images that the log names');
});

t.test('damaged store: the facts of a page claim a huge size, that page is refused and a new scan starts', async t => {
  t.match(await pageOf(fixture, huge.id, 2), { status: 500, headers: { 'platen-error': 'storage-failed' } });
  for (const number of [1, 3, 6]) await isServed(t, fixture, huge, number);
  await fixture.load('duplex', sheets(7));
  const { status, json } = await startScan(fixture, 'duplex');
  t.equal(status, 201);
  t.match(await ended(fixture, json.id), { state: 'completed', pageCount: 1 });
});

t.test('damaged store: files of others, never served and never removed', async t => {
  const { id } = stranger;
  t.equal((await pageOf(fixture, id, 2)).status, 500);
  for (const number of [1, 3, 4, 5, 6]) await isServed(t, fixture, stranger, number);
  for (const other of [link, copy, 'backup', '..%2Fspool']) t.equal((await findScan(fixture, other)).status, 404);
  await deleteScan(fixture, id);
  t.notOk((await listScans(fixture)).some(each => each.id === id));
  t.same((await readdir(elsewhere)).sort(), ['1.page', '2.page', 'facts.json']);
  for (const name of ['notes.txt', 'backup/1.page', `${id}/notes.txt`, `${copy}/1.page`])
    t.ok(existsSync(at(name)), name);
});

t.test('damaged store: its folder is a link, the service refuses to start', async t => {
  const victim = await mkdtemp(join(tmpdir(), 'platen-victim-'));
  t.teardown(() => rm(victim, { recursive: true, force: true }));
  const prepare = (dataDir: string): Promise<void> => symlink(victim, join(dataDir, 'scans'));
  t.match(await refusedStart(topology, { prepare }), { code: 3, log: /scans is a link/ });
  t.same(await readdir(victim), []);
});
