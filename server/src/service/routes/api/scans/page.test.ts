/** `GET /api/scans/{id}/pages/{n}`: whole, in part, its head, waiting for it, and at the client's pace. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { fakeClock, type FakeDriverOptions } from '@platen/conformance';
import type { Test } from 'tap';
import t from 'tap';
import type { ServiceOptions } from '../../../service.test.kit.js';
import { codeOf, service } from './scans.test.kit.js';

/** Of a page of 14 MB, which fills every buffer between the service and its client. */
const large = { page: { width: 2400, height: 2000, pixels: 'rgb24' } } as const;

async function onePage(t: Test, more: FakeDriverOptions = {}, options: ServiceOptions = {}) {
  const made = await service(t, { sheets: 1, ...more }, options);
  const id = await made.started();
  const { pages } = await made.ended(id);
  const [page] = pages;
  if (!page) throw new Error('no page');
  return { ...made, id, page, url: page.url };
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

t.test('page: the bytes, their length, tag and digest; not to be stored', async t => {
  const { call, url, page } = await onePage(t);
  const { statusCode, headers, rawPayload } = await call('GET', url);
  t.equal(statusCode, 200);
  t.equal(sha256(rawPayload), page.sha256);
  const digest = `sha-256=:${Buffer.from(page.sha256, 'hex').toString('base64')}:`;
  const expected = {
    'content-type': 'image/png',
    'content-length': `${page.bytes}`,
    etag: `"${page.sha256}"`,
    'content-digest': digest,
    'repr-digest': digest,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  t.match(headers, expected);
  const head = await call('HEAD', url);
  t.same([head.statusCode, head.rawPayload.length], [200, 0]);
  t.match(head.headers, expected);
});

t.test('page: the client has it, 304 without the bytes', async t => {
  const { call, url, page } = await onePage(t);
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers, rawPayload } = await call(method, url, {
      'if-none-match': `"other", "${page.sha256}"`,
      range: 'bytes=0-1',
    });
    t.same([statusCode, rawPayload.length, headers.etag], [304, 0, `"${page.sha256}"`]);
  }
  t.equal((await call('GET', url, { 'if-none-match': '"other"' })).statusCode, 200);
});

t.test('page: a range; with If-Range; several are the whole; one after the end is refused', async t => {
  const { call, url, page } = await onePage(t);
  const whole = (await call('GET', url)).rawPayload;
  const size = whole.length;
  const part = async (range: string, more: Record<string, string> = {}) => {
    const { statusCode, headers, rawPayload } = await call('GET', url, { range, ...more });
    return { statusCode, headers, rawPayload };
  };
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes=10-', 10, size],
    ['bytes=-7', size - 7, size],
    [`bytes=5-${size * 2}`, 5, size],
    ['bytes=0-', 0, size],
  ] as const) {
    const { statusCode, headers, rawPayload } = await part(range);
    t.equal(statusCode, 206, range);
    t.ok(rawPayload.equals(whole.subarray(start, end)));
    t.match(headers, {
      'content-range': `bytes ${start}-${end - 1}/${size}`,
      'content-length': `${end - start}`,
      'content-type': 'image/png',
      'repr-digest': /./,
    });
    t.notOk(headers['content-digest'], 'the digest is not that of the part');
  }
  for (const range of ['bytes=0-1,4-5', 'bytes=9-2', 'lines=0-1']) t.equal((await part(range)).statusCode, 200, range);
  const tag = `"${page.sha256}"`;
  t.equal((await part('bytes=0-1', { 'if-range': tag })).statusCode, 206);
  for (const other of ['"other"', `W/${tag}`, new Date().toUTCString()])
    t.equal((await part('bytes=0-1', { 'if-range': other })).statusCode, 200, other);
  t.equal((await call('HEAD', url, { range: 'bytes=0-1' })).statusCode, 200, 'a range counts for GET');

  const { statusCode, headers, rawPayload } = await part(`bytes=${size}-`);
  t.equal(statusCode, 416);
  t.same(codeOf({ headers }), { code: 'range-not-satisfiable' });
  t.match(headers, { 'content-range': `bytes */${size}`, 'content-type': /json/ });
  t.notOk(headers['content-digest'] ?? headers.etag);
  t.match(JSON.parse(rawPayload.toString()), { success: false, error: /./ });
});

t.test('page: OpenAPI names the headers of each answer', async t => {
  const { call, url, page } = await onePage(t);
  type Answers = Record<string, { headers?: object }>;
  const { paths } = (await call('GET', '/openapi.json')).json<{
    paths: Record<string, { get: { responses: Answers } }>;
  }>();
  const answers = paths['/api/scans/{id}/pages/{n}']?.get.responses ?? {};
  const ofAPage = ['etag', 'content-digest', 'repr-digest', 'content-range'];
  for (const [status, sent] of [
    [200, {}],
    [206, { range: 'bytes=0-1' }],
    [304, { 'if-none-match': `"${page.sha256}"` }],
  ] as const) {
    const { statusCode, headers } = await call('GET', url, sent);
    t.equal(statusCode, status);
    const named = Object.keys(answers[status]?.headers ?? {}).map(name => name.toLowerCase());
    t.same(named.sort(), ofAPage.filter(name => name in headers).sort(), `${status}`);
  }
});

t.test('page: unknown numbers are not found, at once when the scan is over', async t => {
  const { call, id } = await onePage(t);
  for (const n of ['0', '2', '01', '-1', '1.0', 'x', '99999999999', '%31%20'])
    t.same(codeOf(await call('GET', `/api/scans/${id}/pages/${n}?wait=60`)), { code: 'page-not-found' }, n);
});

t.test('page: wait and width take numbers only', async t => {
  const { call, url } = await onePage(t);
  for (const wait of ['-1', '61', 'x', '', '1e1', '1&wait=2'])
    t.match(codeOf(await call('GET', `${url}?wait=${wait}`)), { code: 'invalid-value', field: 'wait' }, wait);
  for (const width of ['15', '2001', 'x', '', '16.5', '0x20'])
    t.match(codeOf(await call('GET', `${url}?width=${width}`)), { code: 'invalid-value', field: 'width' }, width);
  t.equal((await call('GET', `${url}?wait=0.5`)).statusCode, 200);
});

t.test('page: waited for while it is scanned', async t => {
  const { call, started, driver, ended } = await service(t, { sheets: 2 });
  driver.hold();
  const id = await started();
  const url = (n: number): string => `/api/scans/${id}/pages/${n}`;
  t.same(codeOf(await call('GET', url(1))), { code: 'page-not-found' }, 'without wait, at once');
  const waiting = [
    call('GET', `${url(2)}?wait=60`),
    call('HEAD', `${url(1)}?wait=60`),
    call('GET', `${url(3)}?wait=60`),
  ];
  await driver.whenFed(1);
  driver.release();
  const [second, first, third] = await Promise.all(waiting);
  t.same([second?.statusCode, first?.statusCode], [200, 200]);
  t.match(third && codeOf(third), { code: 'page-not-found' }, 'the scan is over without it');
  const { pages } = await ended(id);
  t.equal(sha256(second?.rawPayload ?? Buffer.alloc(0)), pages[1]?.sha256);
});

t.test('page: not there when the time is over', async t => {
  const clock = fakeClock();
  const { call, started, driver } = await service(t, { sheets: 1 }, { clock });
  driver.hold();
  const id = await started();
  let answer: Awaited<ReturnType<typeof call>> | undefined;
  void call('GET', `/api/scans/${id}/pages/1?wait=20`).then(it => (answer = it));
  await clock.advance(19_999);
  t.equal(answer, undefined);
  while (!answer) await clock.advance(1);
  t.same(codeOf(answer), { code: 'page-not-found' });
  driver.release();
});

t.test('page: two clients fetch it at once, one of them slowly', async t => {
  const { serve, url, page } = await onePage(t, large);
  const request = await serve();
  const slow = await request(url);
  const first = slow.read() as Buffer | null;
  const fast = await bodyOf(await request(url));
  t.equal(sha256(fast), page.sha256);
  const rest = await bodyOf(slow);
  t.equal(sha256(first ? Buffer.concat([first, rest]) : rest), page.sha256);
});

t.test('page: a browser that shows it has not fetched it, one that saves it has', async t => {
  const { call, url, start } = await onePage(t, {}, { config: { scans: { keepBytes: 1 } } });
  t.equal((await call('GET', url, { 'sec-fetch-dest': 'image' })).statusCode, 200);
  t.equal((await start()).statusCode, 507);
  t.equal((await call('GET', url, { 'sec-fetch-dest': 'empty' })).statusCode, 200);
  while ((await start()).statusCode !== 201);
});

t.test('page: a client that reads nothing is disconnected, and has not got the page', async t => {
  const clock = fakeClock();
  const config = { scans: { keepBytes: 1 } };
  const { app, serve, url, start } = await onePage(t, large, { clock, config });
  const request = await serve();
  let over = false;
  app.server.once('connection', (socket: Socket) => socket.once('close', () => (over = true)));
  const response = await request(url);
  response.on('error', () => undefined);
  while (!over) await clock.advance(1000);
  t.equal(response.complete, false);
  t.equal((await start()).statusCode, 507, 'the page was not delivered');
});
