/** The disk with kept scans is full or write-protected: a code and a sentence, and everything else is served. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk, type SmallDisk } from '@platen/conformance';
import t, { type Test } from 'tap';
import { noise, sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';
import {
  continueScan,
  deleteScan,
  ended,
  findScan,
  inkOf,
  listScans,
  pageOf,
  sha256,
  startScan,
  type ScanResource,
} from '../spec/scanCalls.js';

const skip = lackingDisks();

/** A service whose scans lie on a small disk. */
async function onSmallDisk(t: Test): Promise<{ fixture: Fixture; disk: SmallDisk }> {
  let disk: SmallDisk | undefined;
  const fixture = await topology.start({
    async prepare(dataDir) {
      const folder = join(dataDir, 'scans');
      await mkdir(folder, { mode: 0o700 });
      disk = mountSmallDisk(folder, '32m');
    },
  });
  const house = { fixture, disk: disk! };
  t.teardown(async () => {
    house.fixture.signal('SIGTERM');
    const { code, log } = await house.fixture.ended;
    house.disk.unmount();
    await house.fixture.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
  });
  return house;
}

async function allServed(t: Test, fixture: Fixture, { id, pages }: ScanResource): Promise<void> {
  for (const { number, sha256: digest } of pages) {
    const { status, bytes } = await pageOf(fixture, id, number);
    t.match({ status, digest: sha256(bytes) }, { status: 200, digest }, `page ${number}`);
  }
}

t.test(
  'disk full: the scan fails with all pages that went through, and goes on once there is room',
  { skip },
  async t => {
    const house = await onSmallDisk(t);
    const { fixture, disk } = house;
    await disk.fill(2.5e6);
    await fixture.load('duplex', []);
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await insertFile(fixture.tray('duplex'), `${n}.png`, await noise());
    const noisy = { resolution: 100, imageFormat: 'Png' };
    const { json } = await startScan(fixture, 'duplex', { parameters: noisy });
    const scan = await ended(fixture, json.id);
    t.match(scan, { state: 'failed', code: 'storage-failed', error: /scans/ });
    const { length } = scan.pages;
    t.ok(length >= 2 && length < 8, `${length} pages`);
    t.equal(await fixture.scanned('duplex'), length, 'every sheet that went through is a page');
    t.equal(await fixture.waiting('duplex'), 8 - length);
    const inMemory = scan.pages.filter(page => page.isStored === false);
    t.ok(inMemory.length > 0, 'the disk refused some of them');
    t.equal(inMemory.at(-1), scan.pages.at(-1), 'the last ones');
    const atRisk = { pagesInMemory: inMemory.length, error: /in memory only/ };
    t.match(scan, atRisk);
    t.match(await listScans(fixture), [{ id: scan.id, ...atRisk }]);
    const { text } = await fixture.request('GET', `/api/scans/${scan.id}/events`);
    const data = text
      .split('\n')
      .filter(line => line.startsWith('data: '))
      .map(line => JSON.parse(line.slice(6)) as ScanResource);
    t.match(data.at(-1), { state: 'failed', ...atRisk });
    t.equal(data.filter(each => (each as { isStored?: boolean }).isStored === false).length, inMemory.length);
    t.match(await fixture.request('GET', '/health'), { status: 503, text: 'Unhealthy' });
    await allServed(t, fixture, scan);
    t.notOk('pagesInMemory' in (await findScan(fixture, json.id)).json, 'its client has them now');
    t.equal((await fixture.request('GET', '/health')).text, 'Healthy');

    const waiting = await fixture.waiting('duplex');
    await disk.fill();
    const refused = await startScan(fixture, 'duplex', { key: 'no-room', parameters: noisy });
    t.match(refused, {
      status: 500,
      headers: { 'platen-error': 'storage-failed' },
      json: { success: false, error: /./ },
    });
    t.match(await continueScan(fixture, json.id), { status: 500, json: { success: false } });
    t.equal(await fixture.waiting('duplex'), waiting, 'no paper moves');
    t.match(await findScan(fixture, json.id), { json: { state: 'failed', code: 'storage-failed' } });
    t.equal((await fixture.request('GET', '/health')).text, 'Healthy');

    await disk.free();
    t.match(await continueScan(fixture, json.id), { status: 200 });
    const whole = await ended(fixture, json.id);
    t.match(whole, { state: 'completed', pageCount: 8 });
    t.notOk(
      whole.pages.some(page => 'isStored' in page),
      'all are on disk now',
    );
    t.same(
      whole.pages.map(({ number, sheet }) => [number, sheet]),
      [1, 2, 3, 4, 5, 6, 7, 8].map(n => [n, n]),
    );
    await allServed(t, fixture, whole);
    await fixture.load('duplex', sheets(1));
    t.equal(
      (await startScan(fixture, 'duplex', { key: 'no-room', parameters: noisy })).status,
      201,
      'its key was freed',
    );

    fixture.signal('SIGKILL');
    await fixture.ended;
    house.fixture = await fixture.again();
    const after = (await findScan(house.fixture, json.id)).json;
    t.same(after.pages, whole.pages, 'pages that found no room at first are on disk, too');
    await allServed(t, house.fixture, after);
  },
);

t.test('disk full: /api/twain/scan is never refused for it', { skip }, async t => {
  const { fixture, disk } = await onSmallDisk(t);
  await disk.fill(8192);
  await fixture.load('duplex', sheets(1, 2));
  const body = { scannerName: fixture.name('duplex'), parameters: { resolution: 75, imageFormat: 'Bmp' } };
  t.match(await fixture.request('POST', '/api/twain/scan', { body }), { status: 200, json: { imageCount: 2 } });
});

t.test('disk write-protected: what is there is served, new scans are refused and feed nothing', { skip }, async t => {
  const house = await onSmallDisk(t);
  const { fixture, disk } = house;
  await fixture.load('duplex', sheets(1, 2, 3));
  const { json } = await startScan(fixture, 'duplex');
  const scan = await ended(fixture, json.id);
  disk.setReadOnly(true);
  await allServed(t, fixture, scan);
  await fixture.load('duplex', sheets(4));
  t.match(await startScan(fixture, 'duplex'), { status: 500, headers: { 'platen-error': 'storage-failed' } });
  t.equal(await fixture.waiting('duplex'), 1);
  t.match(await deleteScan(fixture, json.id), { status: 500, headers: { 'platen-error': 'storage-failed' } });
  t.equal((await listScans(fixture)).length, 1, 'what cannot be removed is still listed');
  const body = { scannerName: fixture.name('duplex'), parameters: { resolution: 75 } };
  t.match(await fixture.request('POST', '/api/twain/scan', { body }), { status: 200, json: { imageCount: 1 } });

  fixture.signal('SIGKILL');
  await fixture.ended;
  const next = (house.fixture = await fixture.again());
  await allServed(t, next, (await findScan(next, json.id)).json);
  disk.setReadOnly(false);
  await next.load('duplex', sheets(5));
  const after = await startScan(next, 'duplex');
  t.equal(after.status, 201);
  t.equal(await inkOf((await pageOf(next, (await ended(next, after.json.id)).id, 1)).bytes), 5);
  t.match(await deleteScan(next, json.id), { status: 200 });
});
