/** `scans.keep: false`: the same calls, no document on disk, and nothing after the service has ended. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import type { Fixture } from '../topology/topology.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { processesOf } from './frozen.js';
import {
  bare,
  deleteScan,
  ended,
  eventsOf,
  findScan,
  listScans,
  pageOf,
  sha256,
  startScan,
  type ScanResource,
} from '../spec/scanCalls.js';

async function stopped({ stop }: Fixture): Promise<void> {
  const { code, log } = await stop();
  if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
}

/** @param encodedBytes most bytes of pages in memory */
const begin = (encodedBytes: number): Promise<Fixture> =>
  topology.start({ config: { scans: { keep: false }, memory: { encodedBytes } } });

/** Files of the data folder that could hold a document: not those of trays, which are the paper. */
function documents({ dataDir }: Fixture): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
    .filter(name => !name.startsWith('trays'))
    .filter(name => name.startsWith('scans') || name.startsWith('spool') || isImage(join(dataDir, name)));
}

/** A BMP, JPEG, PNG or TIFF. */
function isImage(file: string): boolean {
  let head = '';
  try {
    head = readFileSync(file, 'latin1').slice(0, 4);
  } catch (error) {
    // The service has renamed or removed it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return /^(?:BM|\xff\xd8\xff|\x89PNG|II\*\0|MM\0\*)/.test(head);
}

async function allServed(t: Test, fixture: Fixture, { id, pages }: ScanResource): Promise<void> {
  for (const { number, sha256: digest } of pages) {
    const { status, bytes } = await pageOf(fixture, id, number);
    t.match({ status, digest: sha256(bytes) }, { status: 200, digest }, `page ${number}`);
  }
}

async function servedLikeKept(t: Test, fixture: Fixture): Promise<string> {
  await fixture.load('duplex', sheets(1, 2, 3));
  const { status, json } = await startScan(fixture, 'duplex', { key: 'one', parameters: bare });
  t.equal(status, 201);
  const scan = await ended(fixture, json.id);
  t.match(scan, { state: 'completed', pageCount: 3 });
  await allServed(t, fixture, scan);
  t.match(await startScan(fixture, 'duplex', { key: 'one', parameters: bare }), {
    status: 200,
    json: { id: json.id },
  });
  return json.id;
}

async function isDeleted(t: Test, fixture: Fixture, id: string): Promise<void> {
  t.match(await deleteScan(fixture, id), { status: 200 });
  await until(async () => documents(fixture).length === 0);
  t.equal((await findScan(fixture, id)).status, 404);
}

t.test('keep false, pages in memory: served like kept ones, no document on disk', async t => {
  const fixture = await begin(1e9);
  t.teardown(() => stopped(fixture));
  const id = await servedLikeKept(t, fixture);
  t.same(documents(fixture), [], 'no document on disk');
  await isDeleted(t, fixture, id);
});

t.test('keep false, pages in the spool: served like kept ones; DELETE and a killed service leave nothing', async t => {
  const first = await begin(0);
  let fixture = first;
  t.teardown(() => stopped(fixture));
  const id = await servedLikeKept(t, first);
  t.ok(
    documents(first).every(name => name.startsWith('spool')),
    'only in the spool',
  );
  await isDeleted(t, first, id);

  await first.load('duplex', sheets(1, 2));
  const unread = (await startScan(first, 'duplex', { parameters: bare })).json.id;
  await ended(first, unread);
  await first.load('slow', sheets(1, 2, 3, 4, 5));
  const running = (await startScan(first, 'slow', { key: 'k', parameters: bare })).json.id;
  const stream = await eventsOf(first, running);
  for (let count = 1; !stream.events.some(({ event }) => event === 'page'); count++) await stream.come(count);
  first.signal('SIGKILL');
  await first.ended;
  if (process.platform === 'linux') await until(async () => processesOf(first).length === 0);

  fixture = await first.again();
  t.same(documents(fixture), [], 'no document is left');
  for (const each of [unread, running]) {
    t.equal((await findScan(fixture, each)).status, 404);
    t.equal((await pageOf(fixture, each, 1)).status, 404);
  }
  t.same(await listScans(fixture), []);
  await fixture.load('duplex', sheets(3));
  const { status, json } = await startScan(fixture, 'duplex', { key: 'k' });
  t.equal(status, 201, 'keys are forgotten too');
  t.match(await ended(fixture, json.id), { state: 'completed', pageCount: 1 });
});

t.test('keep false: what an earlier run kept is neither served nor removed', async t => {
  const keeping = await topology.start();
  t.teardown(() => keeping.stop());
  await keeping.load('duplex', sheets(1));
  const { json } = await startScan(keeping, 'duplex');
  const scan = await ended(keeping, json.id);
  keeping.signal('SIGTERM');
  await keeping.ended;
  const dataDir = keeping.dataDir;
  const without = await topology.start({ dataDir, config: { scans: { keep: false } } });
  t.equal((await findScan(without, scan.id)).status, 404);
  t.same(await listScans(without), []);
  t.ok(without.log().includes(join(dataDir, 'scans')), 'the log names the folder that holds documents');
  await without.stop();
  const again = await topology.start({ dataDir });
  t.teardown(() => again.stop());
  await allServed(t, again, (await findScan(again, scan.id)).json);
});
