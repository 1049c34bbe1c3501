/** Clients of the interface beside the resource: what their scans leave there, and what they can cancel. */
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import { cancel, fileOf, inksOf, scan, until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets, type Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { whyNotFrozen } from './frozen.js';
import { keptFolder, keptIds } from './keptFolder.js';
import {
  continueScan,
  deleteScan,
  ended,
  eventsOf,
  findScan,
  inkOf,
  listScans,
  pageOf,
  sha256,
  small,
  startScan,
} from '../spec/scanCalls.js';

const shop = { origin: 'https://shop.example' };
const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5);
const colour = { resolution: 75, colorMode: 'Color' } as const;

/** Pages that a running scan has stored: the only scan there is. */
const storedPages = (fixture: Fixture): number =>
  keptIds(fixture).reduce((sum, id) => sum + keptFolder(fixture, id).pages.length, 0);

async function allAre(t: Test, fixture: Fixture, id: string, inks: readonly Ink[]): Promise<void> {
  const { pages } = (await findScan(fixture, id, shop)).json;
  const files = await Promise.all(pages.map(({ number }) => pageOf(fixture, id, number, shop)));
  t.same(await Promise.all(files.map(({ bytes }) => inkOf(bytes))), inks);
  t.same(
    files.map(({ bytes }) => sha256(bytes)),
    pages.map(each => each.sha256),
  );
}

/** One service for all: each case leaves no scan. */
const shared = await start(t, topology);

for (const pages of [1, 3])
  t.test(`POST /api/twain/scan: its client hangs up at page ${pages}, the pages wait as a cancelled scan`, async t => {
    const fixture = shared;
    await fixture.load('slow', stack);
    const client = new AbortController();
    const scanning = scan(fixture, 'slow', colour, { signal: client.signal, headers: shop });
    await until(async () => storedPages(fixture) >= pages);
    client.abort();
    await t.rejects(scanning, { name: 'AbortError' });
    let listed: Awaited<ReturnType<typeof listScans>> = [];
    await until(async () => (listed = await listScans(fixture, shop)).some(({ state }) => state !== 'running'));
    t.equal(listed.length, 1);
    t.match(listed, [{ state: 'cancelled', code: 'cancelled', kind: 'scan' }]);
    const [{ id, pageCount } = { id: '', pageCount: 0 }] = listed;
    t.ok(pageCount >= pages && pageCount < stack.length, `${pageCount} pages`);
    t.equal(await fixture.scanned('slow'), pageCount, 'every sheet that went through');
    await allAre(
      t,
      fixture,
      id,
      stack.slice(0, pageCount).map(({ front }) => front),
    );
    t.same(await listScans(fixture), [], 'of that origin only');
    t.equal((await deleteScan(fixture, id, shop)).status, 200);
    t.same(keptIds(fixture), []);
  });

t.test('POST /api/twain/scan: its answer was read whole, nothing is left', async t => {
  const fixture = shared;
  await fixture.load('duplex', sheets(1, 2, 3));
  const { status, json } = await scan(fixture, 'duplex', colour, { headers: shop });
  t.equal(status, 200);
  t.same(await inksOf(json), [1, 2, 3]);
  for (const image of json.images) t.equal(fileOf(image).length, image.fileSizeBytes);
  await until(async () => keptIds(fixture).length === 0);
  t.same(await listScans(fixture, shop), []);
  // An error is an answer, too.
  await fixture.load('jamming', sheets(1, 2));
  t.match((await scan(fixture, 'jamming', colour, { headers: shop })).json, { success: false, imageCount: 1 });
  await until(async () => keptIds(fixture).length === 0);
  t.same(await listScans(fixture, shop), []);
});

t.test('POST /api/twain/scan: its client is gone before it has read the answer, the scan waits', async t => {
  const fixture = shared;
  const large = { resolution: 300, colorMode: 'Color', imageFormat: 'Bmp' };
  const body = JSON.stringify({ scannerName: fixture.name('flatbed'), parameters: large });
  const call = httpsRequest({
    host: '127.0.0.1',
    port: fixture.port,
    method: 'POST',
    path: '/api/twain/scan',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...shop,
    },
    rejectUnauthorized: false,
    agent: false,
  });
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  call.on('error', () => undefined);
  response.on('error', () => undefined);
  await once(response, 'readable');
  call.destroy();
  let listed: Awaited<ReturnType<typeof listScans>> = [];
  await until(async () => (listed = await listScans(fixture, shop)).some(({ state }) => state !== 'running'));
  const [{ id } = { id: '' }] = listed;
  const { pages, state } = (await findScan(fixture, id, shop)).json;
  t.match(state, /^(?:completed|cancelled)$/);
  t.equal(pages.length, 1);
  t.equal(sha256((await pageOf(fixture, id, 1, shop)).bytes), pages[0]?.sha256);
  await deleteScan(fixture, id, shop);
});

t.test(
  'POST /api/twain/scan: the service is killed, its pages are an interrupted scan',
  { skip: whyNotFrozen },
  async t => {
    let fixture = await topology.start();
    t.teardown(() => fixture.stop());
    await fixture.load('slow', stack);
    scan(fixture, 'slow', colour, { headers: shop }).catch(() => undefined);
    await until(async () => storedPages(fixture) >= 2);
    fixture.signal('SIGKILL');
    await fixture.ended;
    const [id = '', ...more] = keptIds(fixture);
    t.same(more, []);
    const { pages } = keptFolder(fixture, id);
    fixture = await fixture.again();
    t.match(await listScans(fixture, shop), [
      { id, state: 'interrupted', code: 'service-ended', pageCount: pages.length },
    ]);
    await allAre(
      t,
      fixture,
      id,
      stack.slice(0, pages.length).map(({ front }) => front),
    );
    t.equal((await continueScan(fixture, id, shop)).status, 200);
    t.match(await ended(fixture, id, shop), { state: 'completed' });
  },
);

for (const requestId of ['scan-17', undefined])
  t.test(`POST /api/twain/cancel${requestId ? ' with its requestId' : ''}: ends a scan of POST /api/scans`, async t => {
    const fixture = shared;
    await fixture.load('slow', stack);
    const { json } = await startScan(fixture, 'slow', { parameters: colour, requestId: 'scan-17' });
    t.equal(json.requestId, 'scan-17');
    const stream = await eventsOf(fixture, json.id);
    for (let count = 1; !stream.events.some(({ event }) => event === 'page'); count++) await stream.come(count);
    if (requestId) t.match((await cancel(fixture, 'scan-18')).json, { message: /another scan goes on/ });
    t.equal((await findScan(fixture, json.id)).json.state, 'running');
    t.match(await cancel(fixture, requestId), { status: 200, json: { success: true, message: /cancel/ } });
    const { state, code, pages } = await ended(fixture, json.id);
    t.match({ state, code }, { state: 'cancelled', code: 'cancelled' });
    t.equal(await fixture.scanned('slow'), pages.length);
    t.match((await cancel(fixture, 'scan-17')).json, { message: 'No scan is active' });
    await deleteScan(fixture, json.id);
  });

t.test(
  'both at once: on one scanner, the second request is told that it is busy; on another, side by side',
  async t => {
    const fixture = shared;
    await fixture.load('slow', stack);
    const { json } = await startScan(fixture, 'slow', { parameters: colour });
    t.match(await scan(fixture, 'slow', colour), { status: 409, json: { success: false } });
    t.match(await startScan(fixture, 'slow', { parameters: small }), { status: 409, json: { success: false } });
    t.match(await scan(fixture, 'flatbed', colour), { status: 200, json: { success: true } });
    t.equal((await deleteScan(fixture, json.id)).status, 409);
    t.equal((await continueScan(fixture, json.id)).status, 409);
    t.match(await cancel(fixture), { json: { message: /cancel/ } });
    await ended(fixture, json.id);
    t.equal((await scan(fixture, 'flatbed', colour)).status, 200);
    // What was answered is let go when its client has received it.
    await until(async () => (await listScans(fixture)).length === 1);
  },
);
