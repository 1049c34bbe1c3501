/** Documents that cannot become whole: the client gets an error or a broken connection, and nothing is left behind. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { checkedPages, inksOf } from '../scan/pdfFiles.js';
import { download, type Download } from '../scans/download.js';
import { until } from '../spec/calls.js';
import { deleteScan, ended, findScan, listScans, startScan } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { noise, sheets } from '../topology/sheets.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const parameters = { resolution: 100, colorMode: 'Color', imageFormat: 'Jpeg', jpegQuality: 100 } as const;
const recognisers = ['@platen/document-pdf'];
/** Many megabytes: more than a connection takes unread. */
const LARGE_PAGES = 40;

const documentPath = (id: string, query = ''): string => `/api/scans/${id}/document${query && `?${query}`}`;

/** A service whose scan of large pages has ended. */
async function large(t: Test, options: FixtureOptions = {}): Promise<{ fixture: Fixture; id: string }> {
  const fixture = await start(t, topology, { recognisers, ...options });
  const page = await noise();
  await fixture.load('duplex', []);
  for (let at = 100; at < 100 + LARGE_PAGES; at++) await insertFile(fixture.tray('duplex'), `${at}.front.png`, page);
  const { json } = await startScan(fixture, 'duplex', { parameters });
  t.match(await ended(fixture, json.id), { state: 'completed', pageCount: LARGE_PAGES });
  return { fixture, id: json.id };
}

/** A download that has begun and reads nothing more until it is resumed. */
async function paused(fixture: Fixture, path: string): Promise<Download> {
  let stop = (): void => undefined;
  const begun = new Promise<void>(resolve => (stop = resolve));
  const reading = await download(fixture, path, {}, () => stop());
  await begun;
  reading.pause();
  return reading;
}

/** Descriptors of the service, by what they are: files of pages, and connections. */
function descriptors({ pid }: Fixture): { readonly pages: number; readonly all: number } {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return { pages: targets.filter(each => / ?\.page\b/.test(each)).length, all: targets.length };
}

t.test('the scan is deleted while its document is read: broken off', async t => {
  const { fixture, id } = await large(t);
  const reading = await paused(fixture, documentPath(id));
  t.equal((await deleteScan(fixture, id)).status, 200);
  reading.resume();
  t.equal(await reading.ended, false);
  t.notMatch(reading.bytes().subarray(-10).toString('latin1'), /%%EOF/);
  t.match(reading.trailers, {});
  t.equal((await download(fixture, documentPath(id))).status, 404);
});

t.test(
  'clients hang up in the middle: files are closed and places are free',
  { skip: !existsSync('/proc') && 'descriptors are listed in /proc only' },
  async t => {
    const { fixture, id } = await large(t, { config: { clients: { maxDocuments: 3 } } });
    const before = descriptors(fixture).all;
    for (let round = 0; round < 10; round++) {
      const all = await Promise.all([1, 2, 3].map(() => paused(fixture, documentPath(id))));
      const refused = await download(fixture, documentPath(id));
      t.match(refused, { status: 429, headers: { 'platen-error': /too-many-streams/ } });
      for (const each of all) each.hangUp();
      await until(async () => descriptors(fixture).pages === 0 && descriptors(fixture).all <= before);
    }
    const whole = await download(fixture, documentPath(id));
    t.equal(await whole.ended, true);
    t.match(whole.bytes().subarray(-10).toString('latin1'), /%%EOF/);
  },
);

t.test('a page was damaged on disk: an error before the first byte, broken off after it', async t => {
  let fixture = await topology.start({ recognisers });
  t.teardown(async () => {
    const { code, log } = await fixture.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
  });
  await fixture.load('duplex', sheets(1, 2, 3, 4));
  const { json } = await startScan(fixture, 'duplex', { parameters });
  const { id } = await ended(fixture, json.id);
  fixture.signal('SIGTERM');
  await fixture.ended;
  const file = (n: number): string => join(fixture.dataDir, 'scans', id, `${n}.page`);
  await truncate(file(3), 100);
  fixture = await fixture.again();
  const broken = await download(fixture, documentPath(id));
  t.equal(broken.status, 200);
  t.equal(await broken.ended, false);
  t.match(fixture.log(), /Page 3 was damaged/);
  t.equal((await findScan(fixture, id)).json.pages[2]?.code, 'storage-failed');
  t.equal(await (await download(fixture, documentPath(id, 'pages=1-2,4'))).ended, true);
  for (const [method, first] of [
    ['GET', 'pages=3,1'],
    ['HEAD', 'pages=3'],
  ] as const) {
    const refused = await fixture.request(method, documentPath(id, first));
    t.match(refused, { status: 500, headers: { 'platen-error': 'storage-failed' } });
  }
});

/** A service whose scan waits for sheet 3, and the document of it. */
async function waiting(t: Test) {
  const fixture = await topology.start({
    recognisers,
    faults: { duplex: [{ sheet: 3, fault: 'hang' }] },
    config: { scan: { graceSeconds: 0.3 } },
  });
  t.teardown(() => fixture.stop());
  await fixture.load('duplex', sheets(1, 2, 3));
  const { json } = await startScan(fixture, 'duplex', { parameters });
  const reading = await download(fixture, documentPath(json.id));
  await until(async () => (await findScan(fixture, json.id)).json.pageCount === 2);
  return { fixture, reading, id: json.id };
}

if (needs(t, 'qpdf') && needs(t, 'pdfimages'))
  t.test('the service stops while a document waits: it ends in order, after the pages that are there', async t => {
    const { fixture, reading } = await waiting(t);
    fixture.signal('SIGTERM');
    t.equal(await reading.ended, true);
    t.equal(reading.trailers['platen-scan'], 'interrupted;code=service-ended');
    t.equal((await fixture.ended).code, 0);
    const folder = await mkdtemp(join(tmpdir(), 'platen-documents-'));
    t.teardown(() => rm(folder, { recursive: true }));
    const file = join(folder, 'stopped.pdf');
    await writeFile(file, reading.bytes());
    t.equal(await checkedPages(file), 2);
    t.same(await inksOf(file), [1, 2]);
  });

t.test('the service is killed while a document waits: broken off; the next one serves it', async t => {
  const { fixture, reading, id } = await waiting(t);
  fixture.signal('SIGKILL');
  t.equal(await reading.ended, false);
  await fixture.ended;
  const next = await fixture.again();
  t.teardown(() => next.stop());
  const again = await download(next, documentPath(id));
  t.equal(await again.ended, true);
  t.equal(again.headers['platen-scan'], 'interrupted;code=service-ended');
});

t.test("auto-scan's pages that nobody took: a document of their origin, which delivers them", async t => {
  const shop = { origin: 'https://shop.example' };
  const fixture = await topology.start({ recognisers });
  t.teardown(() => fixture.stop());
  await fixture.load('duplex', sheets(1, 2, 3));
  const body = { scannerName: fixture.name('duplex'), parameters: { ...parameters, jpegQuality: 90 } };
  await fixture.request('POST', '/api/twain/autoscan/enable', { body, headers: shop });
  const kept = join(fixture.dataDir, 'scans');
  await until(
    async () =>
      existsSync(kept) &&
      readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter(name => /\d\.json$/.test(name)).length === 3,
  );
  fixture.signal('SIGKILL');
  await fixture.ended;
  const next = await fixture.again();
  t.teardown(() => next.stop());
  const [scan] = await listScans(next, shop);
  t.match(scan, { kind: 'autoscan', pageCount: 3 });
  const path = documentPath(scan?.id ?? '');
  t.equal((await download(next, path)).status, 404, 'of another owner');
  const listed = await next.request('GET', `/api/scans/${scan?.id}/documents`, { headers: shop });
  t.match(listed.json, { documents: [{ pages: [1, 2, 3], isComplete: false }], count: 1 });
  const document = await download(next, path, shop);
  t.equal(await document.ended, true);
  t.equal(document.headers['platen-scan'], 'interrupted;code=service-ended');
  await until(async () => (await listScans(next, shop)).length === 0);
});
