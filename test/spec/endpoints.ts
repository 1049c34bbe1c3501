/** Endpoints: requests and answers, methods, paths and bodies. */
import { exchange } from '../topology/client.js';
import { sheets } from '../topology/sheets.js';
import { get, inksOf, scan } from './calls.js';
import { spec } from './specTest.js';

const gets = ['/', '/health', '/api/twain/status', '/api/twain/version', '/api/twain/scanners'];

export const endpoints = [
  spec(
    'Endpoints: bodies are JSON, and every simplified answer carries success',
    ['endpoints.json', 'endpoints.success'],
    async (t, fixture) => {
      for (const path of ['/api/twain/status', '/api/twain/version', '/api/twain/scanners']) {
        const { headers, json } = await get<object>(fixture, path);
        t.match(headers['content-type'], /^application\/json/, path);
        t.match(json, { success: true }, path);
      }
      t.match(await fixture.request('GET', '/api/nothing'), {
        status: 404,
        headers: { 'content-type': /^application\/json/ },
        json: { success: false },
      });
    },
  ),

  spec('Endpoints: HEAD answers like GET, without a body', 'endpoints.json', async (t, fixture) => {
    for (const path of gets) {
      const head = await fixture.request('HEAD', path);
      t.equal(head.status, 200, path);
      t.equal(head.text, '', path);
      t.equal(head.headers['content-type'], (await fixture.request('GET', path)).headers['content-type'], path);
    }
  }),

  spec(
    'Endpoints: a path or method that does not exist is 404 with the error body',
    'errors.body',
    async (t, fixture) => {
      const wrong = [
        ['GET', '/api'],
        ['GET', '/api/twain/'],
        ['GET', '/API/TWAIN/STATUS'],
        ['GET', '//'],
        ['GET', '/api/twain/scan'],
        ['DELETE', '/api/twain/scan'],
        ['PUT', '/'],
        ['PATCH', '/health'],
        ['GET', '/%00'],
        ['GET', '/%'],
        ['GET', '/../../etc/passwd'],
        ['GET', `/${'a'.repeat(6000)}`],
      ] as const;
      for (const [method, path] of wrong) {
        const { status, json } = await fixture.request(method, path);
        t.equal(status, 404, `${method} ${path.slice(0, 40)}`);
        t.match(json, { success: false, error: /./ });
      }
    },
  ),

  spec('Endpoints: a query string is ignored', 'endpoints.json', async (t, fixture) => {
    for (const path of gets) t.equal((await fixture.request('GET', `${path}?a=b&a=c&__proto__=d#e`)).status, 200, path);
  }),

  spec(
    'Endpoints: OPTIONS without a preflight’s headers is not an error',
    'authentication.2.cors',
    async (t, fixture) => {
      for (const path of [...gets, '/api/twain/scan']) {
        const { status } = await fixture.request('OPTIONS', path);
        t.ok(status < 500 && status !== 400, `${path}: ${status}`);
      }
    },
  ),

  spec(
    'Endpoints, POST /api/twain/scan: opens the scanner, scans the whole feeder, and answers in one call',
    [
      'endpoints.scan.request',
      'endpoints.scan.200',
      'endpoints.scan.oneCall',
      'resources.result.fields',
      'resources.result.status',
    ],
    async (t, fixture) => {
      await fixture.load('duplex', sheets(3, 1, 2));
      const before = performance.now();
      const { status, headers, json } = await scan(fixture, 'duplex', { resolution: 75, colorMode: 'Color' });
      t.equal(status, 200);
      t.match(headers['content-type'], /^application\/json/);
      t.equal(headers['cache-control'], 'no-store', 'documents are not cached');
      t.match(json, { success: true, status: 'Success', message: /3 pages/, imageCount: 3, elapsedMs: Number });
      t.equal(json.images.length, 3);
      t.ok(json.elapsedMs >= 0 && json.elapsedMs <= performance.now() - before);
      t.same(await inksOf(json), [3, 1, 2], 'in the order of the feeder');
      t.equal(await fixture.waiting('duplex'), 0);
      t.equal(await fixture.scanned('duplex'), 3);
    },
    ['duplex'],
  ),

  spec(
    'Endpoints, POST /api/twain/scan: parameters may be absent, null or empty',
    'endpoints.scan.request',
    async (t, fixture) => {
      t.equal((await scan(fixture, 'flatbed')).status, 200);
      t.equal((await scan(fixture, 'flatbed', {})).status, 200);
      t.equal((await scan(fixture, 'flatbed', undefined, { more: { parameters: null }, asIs: true })).status, 200);
    },
    ['flatbed'],
  ),

  spec(
    'Endpoints, POST /api/twain/scan: a body in chunks, with a byte order mark, with another charset name',
    'endpoints.json',
    async (t, fixture) => {
      const rawBody = `\uFEFF${JSON.stringify({ scannerName: fixture.name('flatbed'), parameters: { resolution: 75 } })}`;
      const headers = { 'content-type': 'application/json; charset=UTF-8' };
      t.equal((await fixture.request('POST', '/api/twain/scan', { rawBody, headers })).status, 200);
      const socket = await fixture.connect();
      const text = await exchange(
        socket,
        `POST /api/twain/scan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(rawBody)}`,
      );
      t.match(text, /^HTTP\/1\.1 200 /);
      t.match(text, /"imageCount":1/);
    },
    ['flatbed'],
  ),

  spec(
    'Endpoints, parameter names: outputFormat is ignored here, and PNG results',
    ['endpoints.parameterNames', 'resources.parameters.imageFormat'],
    async (t, fixture) => {
      const { json } = await scan(fixture, 'flatbed', { resolution: 75, outputFormat: 'jpeg' });
      t.match(json.images[0], { format: 'Png', mimeType: 'image/png' });
      t.match(
        (await scan(fixture, 'flatbed', { resolution: 75, outputFormat: 17, imageFormat: 'Jpeg' })).json.images[0],
        { format: 'Jpeg' },
      );
    },
    ['flatbed'],
  ),

  spec(
    'Endpoints: a hundred requests on one connection and fifty at a time are all answered',
    'endpoints.root',
    async (t, fixture) => {
      const many = await Promise.all(Array.from({ length: 50 }, () => fixture.request('GET', '/api/twain/scanners')));
      t.ok(many.every(each => each.status === 200));
      const socket = await fixture.connect();
      const lines =
        'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(99) +
        'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const text = await exchange(socket, lines);
      t.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 100);
    },
  ),
];

/** The text in chunks of seven bytes, which cut its characters; one byte a character. */
function chunked(text: string): string {
  const bytes = Buffer.from(text);
  let all = '';
  for (let at = 0; at < bytes.length; at += 7) {
    const part = bytes.subarray(at, at + 7);
    all += `${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`;
  }
  return `${all}0\r\n\r\n`;
}
