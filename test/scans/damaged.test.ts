/** A store that was damaged while no service ran: the service starts, says what is wrong, and serves the rest. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
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

/** A scan of six pages whose service has ended, and a way to start the next one. */
async function stored(
  t: Test,
): Promise<{ scan: ScanResource; at(...path: string[]): string; next(): Promise<Fixture> }> {
  let fixture = await topology.start();
  t.teardown(async () => {
    const { code, log } = await fixture.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
  });
  await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6));
  const { json } = await startScan(fixture, 'duplex');
  const scan = await ended(fixture, json.id);
  t.equal(scan.pages.length, 6);
  fixture.signal('SIGTERM');
  await fixture.ended;
  return {
    scan,
    at: (...path) => join(fixture.dataDir, 'scans', ...path),
    next: async () => (fixture = await fixture.again()),
  };
}

async function isServed(t: Test, fixture: Fixture, { id, pages }: ScanResource, number: number): Promise<void> {
  const { status, bytes } = await pageOf(fixture, id, number);
  t.match({ status, digest: sha256(bytes) }, { status: 200, digest: pages[number - 1]?.sha256 }, `page ${number}`);
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

t.test('damaged store: image files truncated, changed or gone, those pages are refused, the others served', async t => {
  const { scan, at, next } = await stored(t);
  const { id } = scan;
  await truncate(at(id, '1.page'), 100);
  await flip(at(id, '2.page'));
  await unlink(at(id, '3.page'));
  const fixture = await next();
  for (const number of [1, 2, 3]) {
    const refused = await fixture.request('GET', pagePath(id, number));
    t.match(refused, { status: 500, headers: { 'platen-error': 'storage-failed' }, json: { success: false } });
    t.match((refused.json as { error: string }).error, new RegExp(`Page ${number} `));
    t.equal((await fixture.request('HEAD', pagePath(id, number))).status, 500);
    t.equal((await fixture.request('GET', `${pagePath(id, number)}?width=100`)).status, 500);
  }
  for (const number of [4, 5, 6]) await isServed(t, fixture, scan, number);
  const { json } = await findScan(fixture, id);
  t.match(json, { state: 'completed', pageCount: 6 });
  t.same(
    json.pages.map(({ number, code }) => [number, code]),
    [1, 2, 3, 4, 5, 6].map(n => [n, n < 4 ? 'storage-failed' : undefined]),
  );
  t.match(await deleteScan(fixture, id), { status: 200 });
  t.same(keptIds(fixture), []);
});

t.test('damaged store: a page’s facts are damaged, the others are served and no image is overwritten', async t => {
  const { scan, at, next } = await stored(t);
  const { id } = scan;
  await writeFile(at(id, '3.json'), '{"page":');
  await writeFile(at(id, '6.json'), '');
  const images = await Promise.all([3, 6].map(n => readFile(at(id, `${n}.page`))));
  const fixture = await next();
  t.match(fixture.log(), /3\.json/);
  t.match(fixture.log(), /6\.json/);
  const { json } = await findScan(fixture, id);
  t.same(
    json.pages.map(({ number, code }) => [number, code]),
    [1, 2, 3, 4, 5, 6].map(n => [n, n % 3 === 0 ? 'storage-failed' : undefined]),
  );
  for (const number of [1, 2, 4, 5]) await isServed(t, fixture, scan, number);
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
  t.same(still.map(sha256), images.map(sha256), 'the images that the log names');
});

t.test('damaged store: the facts of a page claim a huge size, that page is refused and a new scan starts', async t => {
  const { scan, at, next } = await stored(t);
  const { id } = scan;
  const facts = JSON.parse(await readFile(at(id, '2.json'), 'utf8')) as object;
  await writeFile(at(id, '2.json'), JSON.stringify({ ...facts, size: 9e15 }));
  const fixture = await next();
  t.match(await pageOf(fixture, id, 2), { status: 500, headers: { 'platen-error': 'storage-failed' } });
  for (const number of [1, 3, 6]) await isServed(t, fixture, scan, number);
  await fixture.load('duplex', sheets(7));
  const { status, json } = await startScan(fixture, 'duplex');
  t.equal(status, 201);
  t.match(await ended(fixture, json.id), { state: 'completed', pageCount: 1 });
});

t.test('damaged store: files of others, never served and never removed', async t => {
  const { scan, at, next } = await stored(t);
  const { id } = scan;
  const elsewhere = await mkdtemp(join(tmpdir(), 'platen-elsewhere-'));
  t.teardown(() => rm(elsewhere, { recursive: true, force: true }));
  await writeFile(join(elsewhere, 'facts.json'), await readFile(at(id, 'facts.json')));
  await writeFile(join(elsewhere, '1.page'), 'theirs');
  const link = randomUUID();
  await symlink(elsewhere, at(link));
  await mkdir(at('backup'));
  await writeFile(at('backup', '1.page'), 'theirs');
  await writeFile(at('notes.txt'), 'theirs');
  await writeFile(at(id, 'notes.txt'), 'theirs');
  // A copy of a scan is not the scan.
  const copy = randomUUID();
  await mkdir(at(copy));
  for (const name of await readdir(at(id))) await writeFile(at(copy, name), await readFile(at(id, name)));
  // A page that somebody put there, linked to what is elsewhere.
  await rename(at(id, '2.page'), join(elsewhere, '2.page'));
  await symlink(join(elsewhere, '1.page'), at(id, '2.page'));
  const fixture = await next();
  t.same(
    (await listScans(fixture)).map(each => each.id),
    [id],
  );
  t.equal((await pageOf(fixture, id, 2)).status, 500);
  for (const number of [1, 3, 4, 5, 6]) await isServed(t, fixture, scan, number);
  for (const other of [link, copy, 'backup', '..%2Fspool']) t.equal((await findScan(fixture, other)).status, 404);
  await deleteScan(fixture, id);
  t.equal((await listScans(fixture)).length, 0);
  t.same((await readdir(elsewhere)).sort(), ['1.page', '2.page', 'facts.json']);
  for (const name of ['notes.txt', 'backup/1.page', `${id}/notes.txt`, `${copy}/1.page`])
    t.ok(existsSync(at(name)), name);
});

t.test('damaged store: facts of a scan are damaged or gone, the other scans are served', async t => {
  const { scan, at, next } = await stored(t);
  const [torn, bare, stranger] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [name, facts] of [
    [torn, '{"id":'],
    [stranger, '{"id":5,"pages":"all"}'],
    [bare, undefined],
  ] as const) {
    await mkdir(at(name));
    await writeFile(at(name, '1.page'), 'an image');
    await writeFile(at(name, '1.json'), '{}');
    if (facts !== undefined) await writeFile(at(name, 'facts.json'), facts);
  }
  const fixture = await next();
  t.same(
    (await listScans(fixture)).map(({ id }) => id),
    [scan.id],
  );
  for (const number of [1, 2, 3, 4, 5, 6]) await isServed(t, fixture, scan, number);
  for (const name of [torn, stranger]) {
    t.match(fixture.log(), new RegExp(name));
    t.same(keptFolder(fixture, name).images, [1], 'a person can still take its images');
  }
  t.notOk(existsSync(at(bare)), 'a scan that was half removed goes');
});

t.test('damaged store: its folder is a link, the service refuses to start', async t => {
  const victim = await mkdtemp(join(tmpdir(), 'platen-victim-'));
  t.teardown(() => rm(victim, { recursive: true, force: true }));
  const prepare = (dataDir: string): Promise<void> => symlink(victim, join(dataDir, 'scans'));
  t.match(await refusedStart(topology, { prepare }), { code: 3, log: /scans is a link/ });
  t.same(await readdir(victim), []);
});
