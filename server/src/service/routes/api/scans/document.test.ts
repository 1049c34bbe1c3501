/** `GET /api/scans/{id}/document`: which pages, in which order, turned, with which head; and what is refused. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import t from 'tap';
import { documentService, isWhole, lines, numbersOf, optionsOf, pagesOf } from './document.test.kit.js';
import { A, B, codeOf } from './scans.test.kit.js';

async function scanned(t: Test, sheets: number, options: Parameters<typeof documentService>[2] = {}) {
  const made = await documentService(t, { sheets }, options);
  const id = await made.started();
  const scan = await made.ended(id);
  const get = (query = '', headers = {}) => made.call('GET', made.path(id, query), headers);
  return { ...made, id, scan, get };
}

t.test('document: all pages, byte for byte; streamed, not to be stored, with a name and the state', async t => {
  const { get, scan } = await scanned(t, 3);
  const { statusCode, headers, body, trailers } = await get();
  t.equal(statusCode, 200);
  t.same(
    pagesOf(body).map(({ number, turn, sha256 }) => [number, turn, sha256]),
    scan.pages.map(({ number, sha256 }) => [number, 0, sha256]),
  );
  t.ok(isWhole(body));
  t.strictSame(optionsOf(body), { createdAt: Date.parse(scan.createdAt), barcodes: false });
  t.match(headers, {
    'content-type': 'application/x-pdf',
    'content-disposition': /^attachment; filename="scan-\d{8}-\d{4}\.pdf"; filename\*=UTF-8''scan-\d{8}-\d{4}\.pdf$/,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'none',
    'transfer-encoding': 'chunked',
    'platen-scan': 'completed',
    trailer: 'Platen-Scan',
  });
  t.notOk(headers['content-length'] ?? headers.etag);
  t.same(trailers, { 'platen-scan': 'completed' });
});

t.test('document: pages in any order and more than once, and ranges; turned each or all', async t => {
  const { get } = await scanned(t, 6);
  const pages = async (query: string) => pagesOf((await get(query)).body).map(({ number, turn }) => [number, turn]);
  t.same(await pages('pages=1,3,2'), [
    [1, 0],
    [3, 0],
    [2, 0],
  ]);
  t.same(
    (await pages('pages=4-6,1-1,5,5')).map(([number]) => number),
    [4, 5, 6, 1, 5, 5],
  );
  t.same(await pages('pages=1-3&rotate=3:90,2:270'), [
    [1, 0],
    [2, 270],
    [3, 90],
  ]);
  t.same(await pages('pages=1-3&rotate=all:180'), [
    [1, 180],
    [2, 180],
    [3, 180],
  ]);
  t.same(await pages('pages=1-3&rotate=2:0,ALL:90,99:180'), [
    [1, 90],
    [2, 0],
    [3, 90],
  ]);
});

t.test('document: an extension or an alias names the format, in any case', async t => {
  const { get } = await scanned(t, 1, { documents: [lines(), lines({ extension: 'tiff', aliases: ['tif'] })] });
  for (const [name, extension] of [
    ['pdf', 'pdf'],
    ['PDF', 'pdf'],
    ['tiff', 'tiff'],
    ['Tif', 'tiff'],
  ] as const) {
    const { headers } = await get(`format=${name}`);
    t.match(headers, { 'content-type': `application/x-${extension}` }, name);
    t.ok(String(headers['content-disposition']).endsWith(`.${extension}`), name);
  }
  t.same(codeOf(await get('format=docx')), {
    code: 'invalid-value',
    field: 'format',
    accepts: 'one of pdf, tiff, tif',
    allowed: ['pdf', 'tiff', 'tif'],
  });
});

t.test('document: no loaded plugin writes any, refused', async t => {
  const { get } = await scanned(t, 1, { documents: [] });
  t.match(codeOf(await get()), { code: 'invalid-value', field: 'format', accepts: /\w/, allowed: [] });
});

t.test('document: what is refused names its parameter, and costs no memory', async t => {
  const { get, format } = await scanned(t, 2);
  for (const [field, ...values] of [
    ['format', '', 'pd', 'pdf&format=pdf'],
    ['pages', '', '0', '01', '1,', ',1', '1,,2', 'a', '1-', '-1', '2-1', '1.5', '1%202', '+1', '1&pages=2', '1e3'],
    ['pages', '3', '1,3', '1-3', '1-9999999', '1-999999999', '1-1000,1-20000', '9999999999', `${'1,'.repeat(5e3)}0`],
    ['rotate', '', '90', '1', '1:', '1:45', '1:-90', '1:360', '1:090', 'each:90', '1:90,1:90', 'all:90,all:0', '1:90,'],
    ['rotate', '1:90&rotate=2:90'],
    ['title', '', 'a%00b', 'a%0Ab', 'a%C2%85b', 'x'.repeat(501), 'a&title=b'],
    ['searchable', '', '1', 'yes', 'true&searchable=true'],
    ['barcodes', '', '0', 'true&barcodes=false'],
  ] as const) {
    for (const value of values) {
      const answer = await get(`${field}=${value}`);
      t.equal(answer.statusCode, 400, `${field}=${value.slice(0, 30)}`);
      t.match(codeOf(answer), { code: 'invalid-value', field }, `${field}=${value.slice(0, 30)}`);
      t.match(answer.headers['content-type'], /json/);
    }
  }
  t.equal(format.begun, 0);
  t.equal((await get('wait=60&rotation=90')).statusCode, 200, 'unknown parameters are ignored');
});

t.test('document: as many pages as a request may list', async t => {
  const { get, call, path, id } = await scanned(t, 2);
  const twice = (times: number) => `pages=${Array.from({ length: times }, () => '1-2').join()}`;
  t.equal(numbersOf((await get(twice(300))).body).length, 600);
  t.equal((await call('HEAD', path(id, twice(3_000)))).statusCode, 200);
});

t.test('document: the title is in the document, and names the file', async t => {
  const { get } = await scanned(t, 1);
  for (const [title, plain, extended] of [
    ['Letter', 'Letter.pdf', 'Letter.pdf'],
    ['Rechnung März', 'Rechnung Marz.pdf', 'Rechnung%20M%C3%A4rz.pdf'],
    ['請求書', '___.pdf', '%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf'],
    ['../../etc/passwd', /^[^/\\]*passwd\.pdf$/, /^(?!.*%2F).*passwd\.pdf$/],
    ['C:\\a\\b', 'C--a-b.pdf', 'C--a-b.pdf'],
    [`"; filename="evil.exe`, /^[^"]*\.pdf$/, /^(?!.*%22).*\.pdf$/],
    ["it's (100%) *new*", /^it's \(100_\) -new-\.pdf$/, 'it%27s%20%28100%25%29%20-new-.pdf'],
    ['fdp.\u202eexe', /exe\.pdf$/, /^(?!.*%E2%80%AE)/],
    ['CON', '_CON.pdf', '_CON.pdf'],
    ['...', /^scan-\d{8}-\d{4}\.pdf$/, /^scan-/],
    ['\u00a0', /^scan-\d{8}-\d{4}\.pdf$/, /^scan-/],
    ['👩‍👩‍👧 \u0301', /^[\x20-\x7e]+\.pdf$/, /\.pdf$/],
    ['😀'.repeat(500), /^_+\.pdf$/, /^(?:%F0%9F%98%80){1,30}\.pdf$/],
    ['a;b=c,d', 'a;b=c,d.pdf', 'a%3Bb%3Dc%2Cd.pdf'],
  ] as const) {
    const { statusCode, headers, body } = await get(`title=${encodeURIComponent(title)}`);
    t.equal(statusCode, 200, title);
    t.equal(optionsOf(body).title, title);
    const [, file = '', encoded = ''] =
      /^attachment; filename="([^"]*)"; filename\*=UTF-8''(\S*)$/.exec(String(headers['content-disposition'])) ?? [];
    t.match({ file, encoded }, { file: plain, encoded: extended }, title);
    t.ok(Buffer.byteLength(decodeURIComponent(encoded)) <= 255);
  }
});

t.test('document: HEAD has the same head, and no document', async t => {
  const { call, path, id, get, format } = await scanned(t, 2);
  const { headers } = await get('title=Letter');
  const head = await call('HEAD', path(id, 'title=Letter'));
  t.equal(head.statusCode, 200);
  t.equal(head.body, '');
  for (const name of ['content-type', 'content-disposition', 'cache-control', 'platen-scan', 'accept-ranges'])
    t.equal(head.headers[name], headers[name], name);
  t.equal((await call('HEAD', path(id, 'pages=3'))).statusCode, 400);
  t.equal((await call('HEAD', path('unknown'))).statusCode, 404);
  t.equal(format.over, format.begun, 'nothing of it goes on');
});

t.test('document: a scan without pages has none', async t => {
  const { call, path, started, ended } = await documentService(t, { sheets: 0 });
  const id = await started();
  t.match(await ended(id), { state: 'failed', code: 'no-paper' });
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await call(method, path(id));
    t.equal(answer.statusCode, 404);
    t.same(codeOf(answer), { code: 'no-pages' });
  }
  t.match(codeOf(await call('GET', path(id, 'pages=1'))), { code: 'invalid-value', field: 'pages' });
});

t.test('document: only its owner finds it, from origins and hosts that are allowed', async t => {
  const { call, path, started, ended } = await documentService(t, { sheets: 1 }, { origins: [A] });
  const id = await started({ origin: A });
  await ended(id, { origin: A });
  const own = await call('GET', path(id), { origin: A });
  t.equal(own.statusCode, 200);
  const exposed = String(own.headers['access-control-expose-headers']).toLowerCase().split(', ');
  for (const name of ['content-disposition', 'platen-scan', 'platen-error']) t.ok(exposed.includes(name), name);
  t.equal(own.headers['access-control-allow-origin'], A);
  for (const method of ['GET', 'HEAD'] as const) {
    const foreign = await call(method, path(id), { origin: B });
    t.same([foreign.statusCode, codeOf(foreign)], [403, { code: 'origin-refused' }]);
    t.notOk(foreign.headers['access-control-allow-origin']);
    t.equal((await call(method, path(id), { host: 'evil.example' })).statusCode, 421);
    const program = await call(method, path(id));
    t.same([program.statusCode, codeOf(program)], [404, { code: 'scan-not-found' }]);
    for (const mode of ['navigate', 'no-cors']) {
      const answer = await call(method, path(id), { 'sec-fetch-mode': mode, 'sec-fetch-site': 'same-origin' });
      t.same([answer.statusCode, codeOf(answer)], [403, { code: 'cors-required' }]);
    }
  }
});

t.test('document: HTTP/1.0 cannot be told that it was broken off, refused', async t => {
  const { app, serve, path, id } = await scanned(t, 1);
  await serve();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(`GET ${path(id)} HTTP/1.0\r\nHost: localhost\r\n\r\n`);
  const answer = await text(socket);
  t.match(answer, /^HTTP\/1\.1 400 /);
  t.match(answer, /"code":"bad-request"/);
});
