/** Pages of one answer, where scans are not kept: private in the spool, and never lost on a full disk. */
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk, type SmallDisk } from '@platen/conformance';
import sharp from 'sharp';
import t from 'tap';
import { fileOf, get, inksOf, scan, until, untilFed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { noise, sheets } from '../topology/sheets.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const shared = start(t, topology, { config: { memory: { encodedBytes: 0 }, scans: { keep: false } } });

t.test('spool: pages past memory.encodedBytes, wait on disk and come back complete', async t => {
  const fixture = await shared;
  const spool = join(fixture.dataDir, 'spool');
  await fixture.load('slow', sheets(1, 2, 3, 4));
  const scanning = scan(fixture, 'slow', { resolution: 75, colorMode: 'Color' });
  await untilFed(fixture, 'slow', 2);
  let names: string[] = [];
  await until(async () => (names = await readdir(spool)).length > 0);
  if (process.platform !== 'win32') t.equal((await stat(join(spool, names[0] ?? ''))).mode & 0o777, 0o600);
  const { json } = await scanning;
  t.same(await inksOf(json), [1, 2, 3, 4]);
  for (const image of json.images) t.equal(fileOf(image).length, image.fileSizeBytes);
  await until(async () => (await readdir(spool)).length === 0);
  t.pass('nothing stays');
});

t.test('spool: the client hangs up, its pages are freed', async t => {
  const fixture = await shared;
  const spool = join(fixture.dataDir, 'spool');
  await fixture.load('slow', sheets(1, 2, 3, 4));
  const client = new AbortController();
  const scanning = scan(fixture, 'slow', { resolution: 75 }, { signal: client.signal });
  await untilFed(fixture, 'slow', 2);
  client.abort();
  await t.rejects(scanning);
  await until(
    async () =>
      !(await get<{ scannerStatus: { isSourceOpen: boolean } }>(fixture, '/api/twain/status')).json.scannerStatus
        .isSourceOpen,
  );
  await until(async () => (await readdir(spool)).length === 0);
  t.pass('nothing stays');
});

t.test(
  'spool: disk full, 500 with the pages so far, nothing more is fed and the service goes on',
  { skip: lackingDisks() },
  async t => {
    let spool = '';
    let disk: SmallDisk;
    const fixture = await topology.start({
      config: { memory: { encodedBytes: 0 }, scans: { keep: false } },
      async prepare(dataDir) {
        spool = join(dataDir, 'spool');
        await mkdir(spool, { mode: 0o700 });
        disk = mountSmallDisk(spool, '1500k');
      },
    });
    t.teardown(async () => {
      fixture.signal('SIGTERM');
      const { code } = await fixture.ended;
      disk.unmount();
      await fixture.stop();
      if (code !== 0) throw new Error(`The service ended with ${code}.`);
    });
    await fixture.load('slow', []);
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) await insertFile(fixture.tray('slow'), `${n}.png`, await noise());

    // Each page takes about a megabyte: the second one does not fit.
    const { status, json } = await scan(fixture, 'slow', { resolution: 100 });
    t.equal(status, 500);
    t.match(json, { success: false, status: 'StorageFailed', error: /spool/ });
    t.ok(json.imageCount >= 2 && json.imageCount < 8, `${json.imageCount} pages`);
    t.equal(await fixture.scanned('slow'), json.imageCount, 'all that went through are in the answer');
    for (const image of json.images) t.match(await sharp(fileOf(image)).metadata(), { width: 850, height: 1100 });
    t.equal(await fixture.waiting('slow'), 8 - json.imageCount);

    await until(async () => (await readdir(spool)).length === 0);
    t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
    t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
  },
);
