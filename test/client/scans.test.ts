/** Scans as resources through the client module in Node, against a whole service: what comes, and what survives. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, PlatenError, type Client, type Pages, type Scan, type ScanPage } from '@platen/client';
import t from 'tap';
import { until, untilFed } from '../spec/calls.js';
import { disable, enable } from '../spec/autoscanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets, whichSide, type Ink } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { relayTo } from './relay.js';

const fixture = await start(t, virtualTopology);
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: relay.url });
const small = { resolution: 75, colorMode: 'Color' } as const;

const inkOf = async (page: ScanPage): Promise<Ink> =>
  (await whichSide(new Uint8Array(await (await page.blob()).arrayBuffer()))).ink;

interface Seen {
  readonly seen: [number, Ink][];
  readonly error?: PlatenError<ScanPage>;
}

/** The loop's pages, each fetched as it comes, until the loop ends or fails. */
async function all(pages: Pages): Promise<Seen> {
  const seen: Seen['seen'] = [];
  try {
    for await (const page of pages) seen.push([page.number, await inkOf(page)]);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return { seen, error };
  }
  return { seen };
}

async function next(pages: Pages): Promise<ScanPage> {
  const { value } = await pages.next();
  if (!value) throw new Error('The loop ended.');
  return value;
}

/** Nothing of a test is left for the next one. */
async function discard(client: Client, ...scans: readonly Scan[]): Promise<void> {
  for (const scan of scans) await scan.done();
  if ((await client.listScans()).length > 0) throw new Error('Another scan is left.');
}

t.test('startScan: page 1 is fetched before the scan ends; done, then gone', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const scan = await client.startScan(fixture.name('slow'), { ...small, imageFormat: 'Jpeg', report: true });
  t.match(scan, { state: 'running', kind: 'scan', scannerName: fixture.name('slow') });
  await t.rejects(scan.done(), { code: 'busy' });
  const pages = scan.pages();
  const first = await next(pages);
  const blob = await first.blob();
  t.equal((await client.resumeScan(scan.id)).state, 'running');
  t.match(first, {
    ...{ number: 1, sheet: 1, side: 'front', width: 638, height: 825, resolution: 75, format: 'Jpeg' },
    ...{ mimeType: 'image/jpeg', bytes: blob.size, sha256: /^[\da-f]{64}$/, barcodes: [], ocrText: '' },
  });
  t.ok(first.report.some(({ parameter, result }) => parameter === 'resolution' && result === 'applied'));
  t.equal(blob.type, 'image/jpeg');
  t.same(await all(pages), {
    seen: [
      [2, 2],
      [3, 3],
    ],
  });
  t.match(scan, { state: 'completed', pageCount: 3, progress: { scanned: 3, finished: 3 }, notes: [] });
  await discard(client, scan);
  await t.rejects(client.resumeScan(scan.id), { code: 'scan-not-found', httpStatus: 404 });
  await t.rejects(first.blob(), { code: 'scan-not-found' });
  await scan.done();
});

t.test('startScan: refused, nothing is left; the same key, the same scan and no paper', async t => {
  await t.rejects(client.startScan('none'), { code: 'device-not-found' });
  await t.rejects(client.startScan(fixture.name('duplex'), { resolution: 1 }), {
    code: 'invalid-value',
    httpStatus: 400,
  });
  t.same(await client.listScans(), []);
  await fixture.load('duplex', sheets(1));
  const key = 'order-7';
  const one = await client.startScan(fixture.name('duplex'), small, { key });
  t.same((await all(one.pages())).seen, [[1, 1]]);
  await fixture.load('duplex', sheets(2));
  const two = await client.startScan(fixture.name('duplex'), small, { key });
  t.equal(two.id, one.id);
  t.same((await all(two.pages())).seen, [[1, 1]]);
  t.equal(await fixture.waiting('duplex'), 1);
  await t.rejects(client.startScan(fixture.name('duplex'), {}, { key }), { code: 'invalid-value' });
  await discard(client, one);
});

t.test('continue: after a jam with the sheets that are left, pages go on counting', async t => {
  await fixture.load('jamming', sheets(1, 2, 3));
  const scan = await client.startScan(fixture.name('jamming'), small);
  const jam = await all(scan.pages());
  t.match(jam, { seen: [[1, 1]], error: { code: 'paper-jam', message: /Sheet 2/, pages: [{ number: 1 }] } });
  t.match(scan, { state: 'failed', code: 'paper-jam', error: /Sheet 2/ });
  // The jammed sheet goes back into the feeder; sheet 2 of every scan jams, so one at a time.
  for (const [number, ink] of [
    [2, 2],
    [3, 3],
  ] as const) {
    await fixture.load('jamming', sheets(ink));
    await scan.continue();
    t.equal(scan.code, undefined);
    t.same(await all(scan.pages()), { seen: [[number, ink]] });
  }
  await fixture.load('jamming', []);
  await t.rejects(
    (async () => {
      await scan.continue();
      await all(scan.pages()).then(({ error }) => {
        throw error;
      });
    })(),
    { code: 'no-paper' },
  );
  t.equal(scan.pageCount, 3);
  await discard(client, scan);
});

t.test('cancel: by the signal or by the call, what was scanned arrives', async t => {
  for (const way of ['signal', 'call'] as const) {
    await fixture.load('slow', sheets(1, 2, 3, 4, 5));
    const stop = new AbortController();
    const scan = await client.startScan(fixture.name('slow'), small, { signal: stop.signal });
    await untilFed(fixture, 'slow');
    if (way === 'call') await scan.cancel();
    else stop.abort();
    const { seen, error } = await all(scan.pages());
    t.equal(error?.code, 'cancelled', way);
    t.equal(seen.length, await fixture.scanned('slow'), 'every sheet that was scanned');
    t.ok(seen.length > 0 && seen.length < 5, `${seen.length} pages`);
    await discard(client, scan);
  }
});

t.test('cancel: the signal is aborted while the scan starts, it still ends', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const stop = new AbortController();
  const starting = client.startScan(fixture.name('slow'), small, { signal: stop.signal });
  stop.abort();
  const scan = await starting.catch((error: PlatenError) => error);
  if (scan instanceof PlatenError) t.equal(scan.code, 'cancelled');
  else t.equal((await all(scan.pages())).error?.code, 'cancelled');
  await until(async () => (await client.listScans()).every(({ state }) => state !== 'running'));
  t.ok((await fixture.scanned('slow')) < 5);
  await discard(client, ...(await client.listScans()));
});

t.test('startScan: aborted and started again at once, the second one scans', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const stop = new AbortController();
  const first = client.startScan(fixture.name('slow'), small, { signal: stop.signal }).catch(() => undefined);
  await new Promise(resolve => setImmediate(resolve));
  stop.abort();
  const again = await client.startScan(fixture.name('slow'), small);
  const { seen, error } = await all(again.pages());
  t.equal(error, undefined);
  const [lost] = [await first];
  const before = lost ? (await all(lost.pages())).seen.length : 0;
  t.equal(before + seen.length, 5, 'each sheet in one of them');
  await discard(client, ...(await client.listScans()));
});

t.test('startScan: cancelled by the signal of a time limit, a timeout', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const limit = new AbortController();
  const scan = await client.startScan(fixture.name('slow'), small, { signal: limit.signal });
  await untilFed(fixture, 'slow');
  limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  t.match((await all(scan.pages())).error, { code: 'timeout', cause: { name: 'TimeoutError' } });
  await discard(client, scan);
});

t.test('resumeScan: in a second client while the scan runs, both get every page', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const scan = await client.startScan(fixture.name('slow'), small);
  const pages = scan.pages();
  const first = [1, await inkOf(await next(pages))];
  const second = createClient({ baseUrl: relay.url });
  const [listed] = await second.listScans();
  t.equal(listed?.id, scan.id);
  const [mine, theirs] = await Promise.all([all(pages), all((await second.resumeScan(scan.id)).pages())]);
  t.same(theirs, {
    seen: [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  });
  t.same([first, ...mine.seen], theirs.seen);
  await discard(second, ...(listed ? [listed] : []));
});

t.test('pages: the stream is cut repeatedly, each page once, in order', async t => {
  const inks: readonly Ink[] = [1, 2, 3, 4, 5, 6];
  await fixture.load('slow', sheets(...inks));
  const scan = await client.startScan(fixture.name('slow'), small);
  const told: boolean[] = [];
  const seen: number[][] = [];
  for await (const page of scan.pages({ onConnection: is => told.push(is) })) {
    seen.push([page.number, await inkOf(page)]);
    relay.cut();
    if (page.number !== 3) continue;
    relay.down = true;
    void until(async () => told.length > 0).then(() => (relay.down = false));
  }
  t.same(
    seen,
    inks.map(ink => [ink, ink]),
  );
  t.same(told, [false, true]);
  await discard(client, scan);
});

t.test('pages: the service is killed and restarted during the loop, interrupted; continue scans the rest', async t => {
  const first = await virtualTopology.start();
  t.teardown(async () => void (await first.stop()));
  const its = await relayTo(t, first);
  const own = createClient({ baseUrl: its.url });
  const inks: readonly Ink[] = [1, 2, 3, 4, 5, 6];
  await first.load('slow', sheets(...inks));
  const scan = await own.startScan(first.name('slow'), small);
  const pages = scan.pages();
  const held = await next(pages);
  const seen = [[held.number, await inkOf(held)]];
  // The restart may take any time.
  const letGo = its.hold();
  first.signal('SIGKILL');
  await first.ended;
  const rest = all(pages);
  await start(t, virtualTopology, { dataDir: first.dataDir, port: first.port });
  letGo();
  const { seen: more, error } = await rest;
  t.match(error, { code: 'service-ended', message: /\w/ });
  t.equal(scan.state, 'interrupted');
  seen.push(...more);
  t.same((await all((await own.resumeScan(scan.id)).pages())).seen, seen, 'every page that was announced');
  await scan.continue();
  const { seen: last, error: none } = await all(scan.pages());
  t.equal(none, undefined);
  seen.push(...last);
  t.same(
    seen.map(([number]) => number),
    seen.map((_, at) => at + 1),
  );
  const found = seen.map(([, ink]) => ink ?? 0);
  t.same(found, [...new Set(found)].sort(), 'none twice');
  t.equal(found.at(-1), 6);
  // The sheets that the scanner had fed when it lost its service.
  t.comment(`${inks.length - found.length} sheets were in the path.`);
  await discard(own, scan);
});

t.test('scan: its client hangs up, what was scanned is in the list', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const hangUp = new AbortController();
  const body = { scannerName: fixture.name('slow'), parameters: small };
  const asked = fixture.request('POST', '/api/twain/scan', { body, signal: hangUp.signal });
  await untilFed(fixture, 'slow');
  hangUp.abort();
  await t.rejects(asked);
  await until(async () => (await client.listScans()).some(({ state }) => state === 'cancelled'));
  const [scan] = await client.listScans();
  const { seen, error } = await all((await client.resumeScan(scan?.id ?? '')).pages());
  t.equal(error?.code, 'cancelled');
  t.equal(seen.length, await fixture.scanned('slow'));
  await discard(client, ...(scan ? [scan] : []));
});

t.test("listScans: an auto-scan's pages that no client took before the service was killed", async t => {
  const first = await virtualTopology.start();
  t.teardown(async () => void (await first.stop()));
  await first.load('duplex', sheets(1, 2));
  await first.request('POST', '/api/twain/autoscan/enable', {
    body: { scannerName: first.name('duplex'), parameters: small },
  });
  const own = createClient({ baseUrl: (await relayTo(t, first)).url });
  await until(async () =>
    (await readdir(first.dataDir, { recursive: true })).some(file => file.endsWith(join('/', '2.json'))),
  );
  first.signal('SIGKILL');
  await first.ended;
  await start(t, virtualTopology, { dataDir: first.dataDir, port: first.port });
  const [scan] = await own.listScans();
  t.match(scan, { kind: 'autoscan', state: 'interrupted', code: 'service-ended', pageCount: 2 });
  t.match(scan && (await all(scan.pages())), {
    seen: [
      [1, 1],
      [2, 2],
    ],
    error: { code: 'service-ended' },
  });
  await t.rejects(scan?.continue() ?? Promise.resolve(), PlatenError);
  await discard(own, ...(scan ? [scan] : []));
});

t.test('startScan: waitSeconds, the scan waits for auto-scan of another page, and says its place', async t => {
  await fixture.load('slow', []);
  await enable(t, fixture, 'slow');
  await t.rejects(client.startScan(fixture.name('slow'), small), { code: 'busy' });
  const scan = await client.startScan(fixture.name('slow'), small, { waitSeconds: 3600 });
  t.match(scan, { state: 'running', progress: { placeInLine: 1 } });
  const places: (number | undefined)[] = [];
  let tell = (): void => undefined;
  const told = new Promise<void>(resolve => (tell = resolve));
  const pages = all(
    scan.pages({
      onProgress({ placeInLine }) {
        places.push(placeInLine);
        tell();
      },
    }),
  );
  await told;
  await disable(fixture);
  const { error } = await pages;
  t.match(error, { code: 'no-paper' }, 'it had the scanner');
  t.match([places[0], places.at(-1)], [1, undefined]);
  await discard(client, scan);
});
