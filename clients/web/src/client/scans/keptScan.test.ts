/** Scans as resources: each page once, in order, over a server that fails. */
import { mock } from 'node:test';
import t from 'tap';
import { createClient, type Pages, type PlatenError, type ScanPage } from '../index.js';
import { id } from './servedScan.test.kit.js';
import { scanServer, until } from './scanServer.test.kit.js';

const events = `GET /api/scans/${id}/events`;
const start = 'POST /api/scans';

/** The loop's pages until it ends or fails. */
async function all(pages: Pages): Promise<{ numbers: number[]; error?: PlatenError<ScanPage> }> {
  const numbers: number[] = [];
  try {
    for await (const { number } of pages) numbers.push(number);
  } catch (error) {
    return { numbers, error: error as PlatenError<ScanPage> };
  }
  return { numbers };
}

async function next(pages: Pages): Promise<ScanPage> {
  const { value } = await pages.next();
  if (!value) throw new Error('The loop ended.');
  return value;
}

t.test('startScan: pages as they are finished, facts and bytes; done', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  const scan = await client.startScan('Feeder', { resolution: 75 }, { requestId: 'mine' });
  t.match(scan, { id, kind: 'scan', state: 'running', scannerName: 'Feeder', pageCount: 0 });
  t.match(JSON.parse(server.asked[0]?.body ?? ''), {
    scannerName: 'Feeder',
    parameters: { resolution: 75 },
    requestId: 'mine',
  });
  const progress: number[] = [];
  const pages = scan.pages({ onProgress: ({ finished }) => progress.push(finished) });
  server.add('one');
  const first = await next(pages);
  t.match(first, { number: 1, sheet: 1, side: 'front', bytes: 3, url: `${server.url}/api/scans/${id}/pages/1` });
  t.equal(scan.state, 'running');
  const blob = await first.blob();
  t.same([await blob.text(), blob.type], ['one', 'image/png']);
  server.add('two');
  t.equal((await next(pages)).number, 2);
  server.end('completed');
  t.match(await pages.next(), { done: true });
  t.match(scan, { state: 'completed', pageCount: 2, code: undefined });
  t.same(progress, [1, 2]);
  await scan.done();
  t.equal(server.count(`DELETE /api/scans/${id}`), 1);
});

t.test('startScan: its answer is lost, repeated with the same key; one scan', async t => {
  const server = await scanServer(t);
  server.fail(start, 'lost', 'torn', 'unheard');
  await createClient({ baseUrl: server.url }).startScan('Feeder');
  t.equal(server.count(start), 4);
  t.equal(server.started.length, 1);
  await createClient({ baseUrl: server.url }).startScan('Feeder');
  t.equal(server.started.length, 2, 'another call, another key');
  await createClient({ baseUrl: server.url }).startScan('Feeder', {}, { key: 'k' });
  await createClient({ baseUrl: server.url }).startScan('Feeder', {}, { key: 'k' });
  t.equal(server.started.length, 3, 'the same key, the same request');
});

t.test('pages: the stream is cut after every page, each page once, in order', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  const told: boolean[] = [];
  const pages = scan.pages({ onConnection: is => told.push(is) });
  const numbers: number[] = [];
  // More than there are retries.
  for (let n = 1; n <= 12; n++) {
    server.add(`page ${n}`);
    numbers.push((await next(pages)).number);
    server.cut();
  }
  server.end('completed');
  t.match(await pages.next(), { done: true });
  t.same(
    numbers,
    Array.from({ length: 12 }, (_, at) => at + 1),
  );
  t.same(
    server.asked.filter(({ call }) => call === events).map(({ headers }) => headers['last-event-id']),
    [undefined, ...numbers.map(String)],
  );
  t.same(told, []);
});

t.test('pages: the service ends and restarts, the loop goes on and says interrupted', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  const told: boolean[] = [];
  const pages = scan.pages({ onConnection: is => told.push(is) });
  server.add('one');
  await next(pages);
  const waiting = all(pages);
  await server.stop();
  await until(() => told.length > 0);
  server.add('two');
  server.end('interrupted', 'service-ended');
  await server.restart();
  const { numbers, error } = await waiting;
  t.same(numbers, [2]);
  t.match(error, { code: 'service-ended', message: /service-ended/ });
  t.same(
    error?.pages.map(({ number }) => number),
    [1, 2],
  );
  t.same(told, [false, true]);
  t.equal(scan.state, 'interrupted');
});

t.test('continue: after a jam, another loop goes on after the last page', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one');
  server.end('failed', 'paper-jam');
  const jam = await all(scan.pages());
  t.match(jam, { numbers: [1], error: { code: 'paper-jam', pages: [{ number: 1 }] } });
  t.match(scan, { state: 'failed', code: 'paper-jam', error: /paper-jam/ });
  t.match(await all(scan.pages()), { numbers: [], error: { code: 'paper-jam' } }, 'nothing new');
  await scan.continue();
  t.match(scan, { state: 'running', code: undefined, error: undefined });
  server.add('two');
  server.end('completed');
  t.same(await all(scan.pages()), { numbers: [2] });
});

t.test('continue: its answer is lost, the scanner goes on once; refused, the scan stays as it was', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.end('failed', 'paper-jam');
  await all(scan.pages());
  const call = `POST /api/scans/${id}/continue`;
  server.fail(call, 409);
  await t.rejects(scan.continue(), { code: 'busy' });
  t.equal(scan.state, 'failed');
  server.fail(call, 'lost');
  await scan.continue();
  t.equal(server.continued(), 1);
  t.equal(scan.state, 'running');
});

t.test('signal: the scan is cancelled, what was scanned arrives, then cancelled', async t => {
  const server = await scanServer(t);
  const stop = new AbortController();
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder', {}, { signal: stop.signal });
  server.add('one');
  const pages = scan.pages();
  await next(pages);
  server.add('two');
  server.fail(`POST /api/scans/${id}/cancel`, 'unheard');
  const reason = new Error('enough');
  stop.abort(reason);
  const { numbers, error } = await all(pages);
  t.same(numbers, [2]);
  t.match(error, { code: 'cancelled', cause: reason, pages: [{ number: 1 }, { number: 2 }] });
  await scan.continue();
  server.add('three');
  server.end('completed');
  t.same(await all(scan.pages()), { numbers: [3] }, 'an aborted signal does not end the continued scan');
});

t.test('signal: aborted before the answer, the scan is cancelled; before the call, no request', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  const stop = new AbortController();
  const starting = client.startScan('Feeder', {}, { signal: stop.signal, requestId: 'mine' });
  stop.abort();
  const scan = await starting;
  t.match(await all(scan.pages()), { numbers: [], error: { code: 'cancelled' } });
  const before = server.asked.length;
  await t.rejects(client.startScan('Feeder', {}, { signal: stop.signal }), { code: 'cancelled' });
  t.equal(server.asked.length, before);
});

t.test('cancel: without a signal, the loop gives what was scanned and throws cancelled', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one');
  await scan.cancel();
  t.equal(scan.state, 'cancelled');
  t.match(await all(scan.pages()), { numbers: [1], error: { code: 'cancelled' } });
});

t.test('pages: left while waiting, ends at once and closes the stream', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  const pages = scan.pages();
  const waiting = pages.next();
  await until(() => server.streams() === 1);
  await pages.return?.();
  t.match(await waiting, { done: true });
  await until(() => server.streams() === 0);
  server.add('one');
  for await (const { number } of scan.pages()) {
    t.equal(number, 1);
    break;
  }
  await until(() => server.streams() === 0);
  t.equal(server.count(`POST /api/scans/${id}/cancel`), 0, 'the scan runs on');
});

t.test('pages: two loops at once, each page in one of them; events byte by byte', async t => {
  const server = await scanServer(t);
  server.dribble();
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  const loops = [all(scan.pages()), all(scan.pages())];
  await until(() => server.streams() === 2);
  for (let n = 1; n <= 5; n++) server.add('Größe', { ocrText: 'ä€😀\n'.repeat(n) });
  server.end('completed');
  const numbers = (await Promise.all(loops)).flatMap(loop => loop.numbers);
  t.same(numbers.sort(), [1, 2, 3, 4, 5]);
});

t.test('pages: a stream without a byte for too long, another is opened', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const facts = { id, state: 'running', notes: [], pageCount: 0, progress: { scanned: 0, finished: 0 } };
  const end = 'id: 0.completed\nevent: state\ndata: {"state":"completed","notes":[],"pageCount":0}\n\n';
  const silent = new ReadableStream<Uint8Array>();
  const streams = [silent, new Blob([end]).stream()];
  const service: typeof fetch = async input =>
    String(input).endsWith('/events') ? new Response(streams.shift()) : Response.json(facts);
  const scan = await createClient({ baseUrl: 'https://service', fetch: service }).resumeScan(id);
  let ended = false;
  const loop = all(scan.pages()).finally(() => (ended = true));
  while (!ended) {
    mock.timers.tick(5000);
    await new Promise(resolve => setImmediate(resolve));
  }
  t.same(await loop, { numbers: [] });
  t.equal(streams.length, 0);
});

t.test('pages: too many streams, waits for one', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.fail(events, 429, 429);
  server.add('one');
  server.end('completed');
  t.same(await all(scan.pages()), { numbers: [1] });
});

t.test('pages: a damaged page has a code', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one', { code: 'storage-failed', error: 'Page 1 was damaged.' });
  t.match(await next(scan.pages()), { number: 1, code: 'storage-failed', error: 'Page 1 was damaged.' });
});

t.test('listScans, resumeScan: scans of an earlier page, from their first page; gone, scan-not-found', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  server.add('one');
  server.end('completed');
  const [listed] = await client.listScans();
  t.match(listed, { id, state: 'completed', pageCount: 1 });
  for (const scan of [listed, await client.resumeScan(id)]) t.same(scan && (await all(scan.pages())), { numbers: [1] });
  await t.rejects(client.resumeScan('another'), { code: 'scan-not-found' });
  server.fail(`DELETE /api/scans/${id}`, 'lost', 404);
  await listed?.done();
  server.fail(`DELETE /api/scans/${id}`, 409);
  await t.rejects(listed?.done() ?? Promise.resolve(), { code: 'busy' });
});
