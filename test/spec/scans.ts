/** Scans as resources, an addition to the interface: pages one by one, and each stays until its client has it. */
import { Buffer } from 'node:buffer';
import {
  cancelScan,
  continueScan,
  deleteScan,
  ended,
  eventsOf,
  findScan,
  inkOf,
  listScans,
  pageOf,
  pagePath,
  sha256,
  startScan,
  type PageJson,
  type ScanResource,
} from './scanCalls.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { untilFed } from './calls.js';
import { spec } from './specTest.js';

const colour = { parameters: { resolution: 75, colorMode: 'Color' } } as const;
const shop = { ...colour, origin: 'https://shop.example' };

const inksOf = (fixture: Fixture, { id, pages }: ScanResource) =>
  Promise.all(pages.map(async ({ number }) => inkOf((await pageOf(fixture, id, number, shop)).bytes)));

export const scans = [
  spec(
    'Scans, POST /api/scans: answers before the first page, and each page is fetched while the scan runs',
    ['scans.start', 'scans.page', 'scans.events', 'scans.read'],
    async (t, fixture) => {
      await fixture.load('slow', sheets(3, 1, 2, 4, 5, 6, 7, 1));
      const { status, headers, json } = await startScan(fixture, 'slow', { ...shop, requestId: 'scan-17' });
      const { id } = json;
      t.match({ status, headers }, { status: 201, headers: { location: `/api/scans/${id}` } });
      t.match(json, { state: 'running', kind: 'scan', scannerName: fixture.name('slow'), requestId: 'scan-17' });
      const stream = await eventsOf(fixture, id, shop);
      const first = await fixture.request('GET', `${pagePath(id, 1)}?wait=60`, { headers: { origin: shop.origin } });
      t.equal(first.status, 200);
      t.equal((await findScan(fixture, id, shop)).json.state, 'running', 'the scan has not ended');
      t.equal(await inkOf(first.bytes), 3);
      const scan = await ended(fixture, id, shop);
      t.match(scan, { state: 'completed', pageCount: 8, progress: { scanned: 8, finished: 8 } });
      t.equal(sha256(first.bytes), scan.pages[0]?.sha256);
      t.same(await inksOf(fixture, scan), [3, 1, 2, 4, 5, 6, 7, 1]);
      const events = await stream.ended;
      t.same(
        events.filter(({ event }) => event === 'page').map(({ id: each, data }) => [each, data]),
        scan.pages.map(page => [String(page.number), page]),
      );
      t.match(events.at(-1), { event: 'state', id: '8.completed', data: { state: 'completed', pageCount: 8 } });
      t.equal((await eventsOf(fixture, id, shop, '8.completed')).status, 204);
      t.same(
        (await (await eventsOf(fixture, id, shop, '6')).ended).flatMap(({ data }) => (data as PageJson).number ?? []),
        [7, 8],
        'after the last one that came',
      );
      await deleteScan(fixture, id, shop);
    },
    ['slow'],
  ),

  spec(
    'Scans, POST /api/scans: what cannot be scanned is refused before paper moves, and there is no scan',
    ['scans.start.refused'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      const post = (body: object) => fixture.request('POST', '/api/scans', { body, asIs: true });
      const scannerName = fixture.name('duplex');
      t.match(await post({ scannerName: 'None' }), { status: 404, headers: { 'platen-error': 'device-not-found' } });
      t.match(await post({ scannerName, parameters: { resolution: 77 } }), {
        status: 400,
        headers: { 'platen-error': 'invalid-value' },
      });
      t.equal((await post({})).status, 400);
      t.equal(await fixture.waiting('duplex'), 1);
      t.same(await listScans(fixture), []);
    },
    ['duplex'],
  ),

  spec(
    'Scans, POST …/cancel: the sheet in the path is a page, and nothing more is fed',
    ['scans.cancel'],
    async (t, fixture) => {
      await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5));
      const { json } = await startScan(fixture, 'slow', shop);
      await untilFed(fixture, 'slow', 2);
      t.equal((await deleteScan(fixture, json.id, shop)).status, 409);
      t.equal((await cancelScan(fixture, json.id, shop)).status, 200);
      const scan = await ended(fixture, json.id, shop);
      t.match(scan, { state: 'cancelled', code: 'cancelled' });
      t.equal(await fixture.scanned('slow'), scan.pages.length, 'every sheet that went through');
      t.ok(scan.pages.length < 12);
      t.match(await cancelScan(fixture, json.id, shop), { status: 200, json: { state: 'cancelled' } }, 'idempotent');
      t.equal((await deleteScan(fixture, json.id, shop)).status, 200);
      t.equal((await findScan(fixture, json.id, shop)).status, 404);
    },
    ['slow'],
  ),

  spec(
    'Scans, POST …/continue: after a jam, pages and sheets go on and none is twice there',
    ['scans.continue', 'scans.read'],
    async (t, fixture) => {
      await fixture.load('jamming', sheets(5, 2));
      const { json } = await startScan(fixture, 'jamming', shop);
      t.match(await ended(fixture, json.id, shop), { state: 'failed', code: 'paper-jam', pageCount: 1 });
      // The person who clears the jam puts the sheet back.
      await fixture.load('jamming', sheets(2));
      t.equal((await continueScan(fixture, json.id, shop)).status, 200);
      const scan = await ended(fixture, json.id, shop);
      t.match(scan, { state: 'completed', code: undefined, error: undefined });
      t.same(
        scan.pages.map(({ number, sheet }) => [number, sheet]),
        [
          [1, 1],
          [2, 2],
        ],
      );
      t.same(await inksOf(fixture, scan), [5, 2]);
      await deleteScan(fixture, json.id, shop);
    },
    ['jamming'],
  ),

  spec(
    'Scans, POST …/continue: the next document on the flatbed is the next page',
    ['scans.continue'],
    async (t, fixture) => {
      const { json } = await startScan(fixture, 'flatbed', shop);
      await ended(fixture, json.id, shop);
      t.equal((await continueScan(fixture, json.id, shop)).status, 200);
      const { state, pages } = await ended(fixture, json.id, shop);
      t.same([state, pages.map(({ number }) => number)], ['completed', [1, 2]]);
      await deleteScan(fixture, json.id, shop);
    },
    ['flatbed'],
  ),

  spec(
    'Scans, GET /api/scans/{id}: both sides of a sheet are pages of it',
    ['scans.read'],
    async (t, fixture) => {
      await fixture.load('duplex', [
        { front: 1, back: 2 },
        { front: 3, back: 4 },
      ]);
      const parameters = { ...colour.parameters, duplexMode: 'DuplexLongEdge' };
      const { json } = await startScan(fixture, 'duplex', { ...shop, parameters });
      const scan = await ended(fixture, json.id, shop);
      t.same(
        scan.pages.map(({ number, sheet, side }) => [number, sheet, side]),
        [
          [1, 1, 'front'],
          [2, 1, 'back'],
          [3, 2, 'front'],
          [4, 2, 'back'],
        ],
      );
      t.same(await inksOf(fixture, scan), [1, 2, 3, 4]);
      await deleteScan(fixture, json.id, shop);
    },
    ['duplex'],
  ),

  spec(
    'Scans, GET …/pages/{n}: bytes with their digest, in parts, or only if they are new',
    ['scans.page', 'scans.page.range'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(6));
      const { json } = await startScan(fixture, 'duplex', shop);
      const { id, pages } = await ended(fixture, json.id, shop);
      const { sha256: digest = '', bytes: size = 0, mimeType } = pages[0] ?? {};
      const etag = `"${digest}"`;
      const whole = await pageOf(fixture, id, 1, shop);
      t.match(whole.headers, {
        'content-type': mimeType,
        'content-length': String(size),
        etag,
        'content-digest': `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`,
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
      });
      t.equal(sha256(whole.bytes), digest);
      const origin = { origin: shop.origin };
      const head = await fixture.request('HEAD', pagePath(id, 1), { headers: origin });
      t.match(head, { status: 200, bytes: { length: 0 }, headers: { etag, 'content-length': String(size) } });
      const middle = await pageOf(fixture, id, 1, shop, { range: 'bytes=10-19' });
      t.match(middle, { status: 206, headers: { 'content-range': `bytes 10-19/${size}` } });
      t.ok(middle.bytes.equals(whole.bytes.subarray(10, 20)));
      const last = await pageOf(fixture, id, 1, shop, { range: 'bytes=-5', 'if-range': etag });
      t.ok(last.bytes.equals(whole.bytes.subarray(-5)));
      const stale = await pageOf(fixture, id, 1, shop, { range: 'bytes=-5', 'if-range': '"another"' });
      t.same([stale.status, stale.bytes.length], [200, size], 'of other bytes: the whole');
      t.match(await pageOf(fixture, id, 1, shop, { range: `bytes=${size}-` }), {
        status: 416,
        headers: { 'content-range': `bytes */${size}` },
      });
      t.match(await pageOf(fixture, id, 1, shop, { 'if-none-match': etag }), { status: 304, bytes: { length: 0 } });
      const none = { status: 404, headers: { 'platen-error': 'page-not-found' } };
      t.match(await pageOf(fixture, id, 2, shop), none);
      const waited = await fixture.request('GET', `${pagePath(id, 2)}?wait=60`, { headers: origin });
      t.match(waited, none, 'at once, as the scan is over');
      await deleteScan(fixture, id, shop);
    },
    ['duplex'],
  ),

  spec(
    'Scans, Idempotency-Key: the same scan, and no paper is fed twice',
    ['scans.key'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1, 2));
      const key = `key-of-${process.pid}`;
      const [one, two] = await Promise.all([
        startScan(fixture, 'duplex', { ...shop, key }),
        startScan(fixture, 'duplex', { ...shop, key }),
      ]);
      t.same([one?.status, two?.status].sort(), [200, 201]);
      t.equal(one?.json.id, two?.json.id);
      const { id, pages } = await ended(fixture, one?.json.id ?? '', shop);
      t.equal(pages.length, 2);
      await fixture.load('duplex', sheets(3));
      t.match(await startScan(fixture, 'duplex', { ...shop, key }), { status: 200, json: { id, state: 'completed' } });
      t.equal(await fixture.waiting('duplex'), 1);
      await deleteScan(fixture, id, shop);
    },
    ['duplex'],
  ),

  spec(
    'Scans, owners: a scan is the origin’s that made it, and 404 to all others',
    ['scans.owner', 'scans.list'],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(1));
      const { json } = await startScan(fixture, 'duplex', shop);
      const { id } = await ended(fixture, json.id, shop);
      t.same(
        (await listScans(fixture, shop)).map(each => each.id),
        [id],
      );
      for (const other of [{ origin: 'https://bank.example' }, {}]) {
        t.same(await listScans(fixture, other), []);
        const unknown = { status: 404, headers: { 'platen-error': 'scan-not-found' } };
        for (const call of [findScan, cancelScan, continueScan, deleteScan])
          t.match(await call(fixture, id, other), unknown);
        t.match(await pageOf(fixture, id, 1, other), unknown);
        t.equal((await eventsOf(fixture, id, other)).status, 404);
      }
      t.equal((await deleteScan(fixture, id, shop)).status, 200);
      t.same(await listScans(fixture, shop), []);
    },
    ['duplex'],
  ),
];
