/** Many clients, slow ones and ones whose connection breaks: each has its own scans, whole. */
import { readdirSync, readlinkSync } from 'node:fs';
import t from 'tap';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets, type Ink } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import type { Fixture } from '../topology/topology.js';
import { download, type Download } from './download.js';
import { whyNotFrozen } from './frozen.js';
import {
  bare,
  cancelScan,
  deleteScan,
  ended,
  findScan,
  inkOf,
  listScans,
  pageOf,
  pagePath,
  sha256,
  small,
  startScan,
} from '../spec/scanCalls.js';

/** About 25 MB: more than a connection takes unread. */
const large = { resolution: 300, colorMode: 'Color', imageFormat: 'Bmp' } as const;
const CLIENTS = 100;

t.test('a hundred clients with a scan each: everyone sees their own only, also after a restart', async t => {
  let fixture = await topology.start();
  t.teardown(async () => {
    const { code, log } = await fixture.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
  });
  const inkAt = (at: number): Ink => (at % 8) as Ink;
  await fixture.load('duplex', []);
  const clients: { readonly origin: string; readonly id: string; readonly digest: string; readonly ink: Ink }[] = [];
  for (let at = 0; at < CLIENTS; at++) {
    const origin = `https://shop-${at}.example`;
    await fixture.insert('duplex', sheets(inkAt(at)));
    // The same key for everyone: it is the origin's own.
    const { status, json } = await startScan(fixture, 'duplex', { origin, key: 'invoice' });
    t.equal(status, 201, origin);
    const { pages, id } = await ended(fixture, json.id, { origin });
    t.equal(pages.length, 1);
    clients.push({ origin, id, digest: pages[0]?.sha256 ?? '', ink: inkAt(at) });
  }
  t.equal(new Set(clients.map(({ id }) => id)).size, CLIENTS);
  const look = async (): Promise<void> => {
    await Promise.all(
      clients.map(async ({ origin, id, digest, ink }, at) => {
        const other = clients[(at + 1) % CLIENTS] ?? { id: '' };
        const own = await listScans(fixture, { origin });
        const strange = await Promise.all([
          findScan(fixture, other.id, { origin }),
          pageOf(fixture, other.id, 1, { origin }),
        ]);
        const { bytes } = await pageOf(fixture, id, 1, { origin });
        t.same(
          [own.map(each => each.id), strange.map(({ status }) => status), sha256(bytes), await inkOf(bytes)],
          [[id], [404, 404], digest, ink],
          origin,
        );
      }),
    );
    t.same(await listScans(fixture), [], 'programs have none');
  };
  await look();
  fixture.signal('SIGKILL');
  await fixture.ended;
  fixture = await fixture.again();
  await look();
});

/** A download that reads its first bytes, and nothing more until it is resumed. */
async function paused(fixture: Fixture, path: string): Promise<Download> {
  let stop = (): void => undefined;
  const begun = new Promise<void>(resolve => (stop = resolve));
  const reading = await download(fixture, path, {}, () => stop());
  await begun;
  reading.pause();
  return reading;
}

/** Whether the service has a page's file open. */
function readsPage({ pid }: Fixture): boolean {
  return readdirSync(`/proc/${pid}/fd`).some(fd => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('.page');
    } catch {
      return false;
    }
  });
}

t.test(
  'a client that reads slowly: others are served meanwhile, and it gets every byte, even of a scan let go',
  async t => {
    const fixture = await start(t, topology);
    const { json } = await startScan(fixture, 'flatbed', { parameters: large });
    const { id, pages } = await ended(fixture, json.id);
    const [page] = pages;
    const slow = await paused(fixture, page?.url ?? '');
    const [one, two] = await Promise.all([pageOf(fixture, id, 1), pageOf(fixture, id, 1)]);
    t.same([sha256(one.bytes), sha256(two.bytes)], [page?.sha256, page?.sha256], 'two at once');
    const other = await startScan(fixture, 'flatbed');
    t.match(await ended(fixture, other.json.id), { state: 'completed', pageCount: 1 });
    t.ok(slow.bytes().length < (page?.bytes ?? 0), 'the slow one has not all of it');
    t.equal((await deleteScan(fixture, id)).status, 200);
    t.equal((await findScan(fixture, id)).status, 404);
    slow.resume();
    t.equal(await slow.ended, true);
    t.equal(sha256(slow.bytes()), page?.sha256);
  },
);

t.test('a client that reads nothing: disconnected, and goes on where it was', { skip: whyNotFrozen }, async t => {
  const fixture = await start(t, topology, { config: { clients: { stallSeconds: 1 } } });
  const { json } = await startScan(fixture, 'flatbed', { parameters: large });
  const { id, pages } = await ended(fixture, json.id);
  const [page] = pages;
  const stalled = await paused(fixture, page?.url ?? '');
  await until(async () => !readsPage(fixture));
  stalled.resume();
  t.equal(await stalled.ended, false);
  const had = stalled.bytes();
  const rest = await pageOf(fixture, id, 1, {}, { range: `bytes=${had.length}-`, 'if-range': `"${page?.sha256}"` });
  t.match(rest, {
    status: 206,
    headers: { 'content-range': `bytes ${had.length}-${(page?.bytes ?? 0) - 1}/${page?.bytes}` },
  });
  t.equal(sha256(Buffer.concat([had, rest.bytes])), page?.sha256);
});

t.test('a connection that breaks: Range has the rest, byte for byte, as often as it takes', async t => {
  const fixture = await start(t, topology);
  const { json } = await startScan(fixture, 'flatbed', { parameters: large });
  const { id, pages } = await ended(fixture, json.id);
  const [page] = pages;
  let had = Buffer.alloc(0);
  for (let cut = 1; had.length < (page?.bytes ?? 0); cut++) {
    const headers = had.length > 0 ? { range: `bytes=${had.length}-` } : {};
    const part = await download(fixture, pagePath(id, 1), headers, received => {
      if (cut < 4 && received > 1e6) part.hangUp();
    });
    t.equal(part.status, had.length > 0 ? 206 : 200);
    await part.ended;
    had = Buffer.concat([had, part.bytes()]);
  }
  t.equal(sha256(had), page?.sha256);
});

t.test('pages requested before they are there: each comes once it is whole; none after the last one', async t => {
  const fixture = await start(t, topology);
  await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6, 7));
  const { json } = await startScan(fixture, 'duplex', { parameters: bare });
  const waiting = [1, 2, 3, 4, 5, 6, 7, 8].map(number =>
    fixture.request('GET', `${pagePath(json.id, number)}?wait=60`),
  );
  const { pages } = await ended(fixture, json.id);
  const answers = await Promise.all(waiting);
  for (const [at, { status, bytes, headers }] of answers.slice(0, 7).entries()) {
    t.match({ status, digest: sha256(bytes) }, { status: 200, digest: pages[at]?.sha256 }, `page ${at + 1}`);
    t.equal(headers['content-digest'], `sha-256=:${Buffer.from(pages[at]?.sha256 ?? '', 'hex').toString('base64')}:`);
    t.equal(await inkOf(bytes), at + 1);
  }
  t.match(answers[7], { status: 404, headers: { 'platen-error': 'page-not-found' } });
});

t.test('pages requested while they wait: the client hangs up, or the service ends', async t => {
  const fixture = await start(t, topology, { config: { scan: { graceSeconds: 0.3 } } });
  await fixture.load('hanging', sheets(1, 2));
  const { json } = await startScan(fixture, 'hanging', { parameters: small });
  const client = new AbortController();
  const path = `${pagePath(json.id, 2)}?wait=60`;
  const left = fixture.request('GET', path, { signal: client.signal });
  const stays = fixture.request('GET', path);
  t.equal((await fixture.request('GET', `${pagePath(json.id, 1)}?wait=60`)).status, 200);
  client.abort();
  await t.rejects(left, { name: 'AbortError' });
  await cancelScan(fixture, json.id);
  t.match(await stays, { status: 404, headers: { 'platen-error': 'page-not-found' } });
  t.match(await ended(fixture, json.id), { state: 'cancelled', pageCount: 1 });
});
