/** `POST /api/documents`: pages of any scans in any order, each turned, as one file; and what is refused. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { deferred, type DocumentPage } from '@platen/core';
import type { Test } from 'tap';
import t from 'tap';
import { documentService, isWhole, lines, numbersOf, optionsOf, pagesOf } from './scans/document.test.kit.js';
import { A, B, codeOf } from './scans/scans.test.kit.js';

const url = '/api/documents';

/** Two scans that are over: of three sheets, and of two. */
async function twoScans(t: Test, options: Parameters<typeof documentService>[2] = {}, headers = {}) {
  const made = await documentService(t, { sheets: 3 }, options);
  const first = await made.ended(await made.started(headers), headers);
  made.driver.load(2);
  const second = await made.ended(await made.started(headers), headers);
  const post = (body: object, more = headers) => made.call('POST', url, more, body);
  return { ...made, first, second, post };
}

t.test('documents: pages of two scans in any order, turned, one twice, byte for byte', async t => {
  const { first, second, post } = await twoScans(t);
  const at = [
    { of: second, page: 2, rotate: 90 },
    { of: first, page: 1 },
    { of: first, page: 3, rotate: 0 },
    { of: second, page: 1, rotate: 270 },
    { of: second, page: 2 },
  ] as const;
  const pages = at.map(({ of, ...rest }) => ({ scan: of.id, ...rest }));
  const { statusCode, headers, body, trailers } = await post({ pages });
  t.equal(statusCode, 200);
  t.strictSame(
    pagesOf(body).map(({ turn, sha256 }) => [turn, sha256]),
    at.map(({ of, page, ...more }) => ['rotate' in more ? more.rotate : 0, of.pages[page - 1]?.sha256]),
  );
  t.same(numbersOf(body), [1, 2, 3, 4, 1], 'the same page has the same number, and no other has it');
  t.ok(isWhole(body));
  t.strictSame(optionsOf(body), { createdAt: Date.parse(second.createdAt), barcodes: false });
  t.match(headers, {
    'content-type': 'application/x-pdf',
    'content-disposition': /^attachment; filename="scan-\d{8}-\d{4}\.pdf"/,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'none',
    'transfer-encoding': 'chunked',
  });
  t.notOk(headers['platen-scan'] ?? headers.trailer, 'of no single scan');
  t.same(trailers, {});
});

t.test('documents: format, title and barcodes', async t => {
  const { first, post } = await twoScans(t, { lines: lines({ extension: 'tif', aliases: ['tiff'] }) });
  const pages = [{ scan: first.id, page: 1, more: 'ignored' }];
  const { statusCode, headers, body } = await post({ format: 'TIFF', title: 'März', barcodes: true, pages });
  t.equal(statusCode, 200);
  t.match(optionsOf(body), { title: 'März', barcodes: true });
  t.match(headers, { 'content-type': 'application/x-tif', 'content-disposition': /filename="Marz\.tif"/ });
  const refused = codeOf(await post({ pages }));
  t.match(refused, { code: 'invalid-value', field: 'format', allowed: ['tif', 'tiff'] }, 'no format for the default');
});

t.test('documents: the text of pages is read when it is asked for, and refused without a reader', async t => {
  const { first, second, post } = await twoScans(t);
  const pages = [first, second].map(({ id: scan }) => ({ scan, page: 1 }));
  const { statusCode, headers } = await post({ pages, searchable: true });
  t.equal(statusCode, 400);
  t.match(codeOf({ headers }), { code: 'invalid-value', field: 'searchable' });
  t.equal((await post({ pages, searchable: false })).statusCode, 200);
});

t.test('documents: each wrong value is a 400 with its field and what is allowed', async t => {
  const { first, second, post, format, call } = await twoScans(t);
  const one = { scan: first.id, page: 1 };
  for (const [body, field, allowed] of [
    [{}, 'pages'],
    [{ pages: one }, 'pages'],
    [{ pages: [] }, 'pages'],
    [{ pages: Array.from({ length: 20_001 }, () => one) }, 'pages'],
    [{ pages: [one, 5] }, 'pages[1]'],
    [{ pages: [one, { page: 1 }] }, 'pages[1].scan'],
    [{ pages: [one, { scan: '', page: 1 }] }, 'pages[1].scan'],
    [{ pages: [{ scan: first.id }] }, 'pages[0].page'],
    [{ pages: [one, one, { scan: second.id, page: 3 }] }, 'pages[2].page', [1, 2]],
    [{ pages: [{ scan: first.id, page: 0 }] }, 'pages[0].page'],
    [{ pages: [{ scan: first.id, page: 1.5 }] }, 'pages[0].page'],
    [{ pages: [{ scan: first.id, page: '1' }] }, 'pages[0].page'],
    [{ pages: [one, { ...one, rotate: 45 }] }, 'pages[1].rotate', [0, 90, 180, 270]],
    [{ pages: [{ ...one, rotate: '90' }] }, 'pages[0].rotate', [0, 90, 180, 270]],
    [{ pages: [one], format: 'docx' }, 'format', ['pdf']],
    [{ pages: [one], format: 7 }, 'format'],
    [{ pages: [one], title: '' }, 'title'],
    [{ pages: [one], title: 'x'.repeat(501) }, 'title'],
    [{ pages: [one], title: 'a\nb' }, 'title'],
    [{ pages: [one], searchable: 'yes' }, 'searchable'],
    [{ pages: [one], barcodes: 1 }, 'barcodes'],
  ] as const) {
    const answer = await post(body);
    const what = `${field} ${answer.body}`;
    t.equal(answer.statusCode, 400, what);
    t.match(codeOf(answer), { code: 'invalid-value', field, ...(allowed ? { allowed } : {}) }, what);
    t.ok(answer.json<{ error: string }>().error.includes(field), what);
  }
  t.match((await post({ pages: [] })).json(), { error: /1 to 20000/ });
  t.match(codeOf(await call('POST', url)), { code: 'invalid-value', field: 'pages' });
  t.equal(format.begun, 0);
});

t.test('documents: a page of a running scan must be there; it waits for none', async t => {
  const { first, driver, started, post, ended } = await twoScans(t);
  driver.load(1);
  driver.hold();
  const id = await started();
  const pages = [
    { scan: first.id, page: 1 },
    { scan: id, page: 1 },
  ];
  const early = await post({ pages });
  t.equal(early.statusCode, 400);
  t.match(codeOf(early), { code: 'invalid-value', field: 'pages[1].page', allowed: [] });
  t.equal((await post({ pages: pages.slice(0, 1) })).statusCode, 200);
  driver.release();
  await ended(id);
  t.ok(isWhole((await post({ pages })).body));
});

t.test('documents: a thousand pages come in order, and a request may list 20,000', async t => {
  const { first, second, post } = await twoScans(t);
  const all = [first, second].flatMap(({ id: scan, pages }) => pages.map(({ number: page }) => ({ scan, page })));
  const pages = Array.from({ length: 1000 }, (_, at) => ({ ...all[at % all.length], rotate: 270 }));
  const { statusCode, body } = await post({ pages });
  t.equal(statusCode, 200);
  t.same(
    numbersOf(body),
    pages.map((_, at) => (at % all.length) + 1),
  );
  // Each entry is looked at; the document itself is the long test's.
  const most = [...Array.from({ length: 19_999 }, () => pages[0]), { scan: first.id, page: 9 }];
  t.match(codeOf(await post({ pages: most })), { code: 'invalid-value', field: 'pages[19999].page' });
});

t.test('documents: a body beyond its limit, 413 with that limit', async t => {
  const { post } = await twoScans(t);
  const answer = await post({ title: 'x'.repeat(4 * 1024 * 1024), pages: [] });
  t.same([answer.statusCode, codeOf(answer)], [413, { code: 'body-too-large' }]);
  t.match(answer.json(), { error: /4096 KiB/ });
});

t.test('documents: a scan of another origin does not exist, nor does one that was deleted', async t => {
  const { first, second, post, call } = await twoScans(t, {}, { origin: A });
  const pages = [first, second].map(({ id: scan }) => ({ scan, page: 1 }));
  t.equal((await post({ pages })).statusCode, 200);
  for (const headers of [{ origin: B }, {}]) {
    const answer = await post({ pages }, headers);
    t.same([answer.statusCode, codeOf(answer)], [404, { code: 'scan-not-found' }]);
  }
  await call('DELETE', `/api/scans/${second.id}`, { origin: A });
  const gone = await post({ pages });
  t.same([gone.statusCode, codeOf(gone)], [404, { code: 'scan-not-found' }]);
  t.match(gone.json(), { error: /pages\[1\]\.scan/ });
});

/** Holds a document before its second page. */
function holding() {
  const [reached, released] = [deferred<void>(), deferred<void>()];
  const before = async ({ pageNumber }: DocumentPage): Promise<void> => {
    if (pageNumber !== 2) return;
    reached.resolve();
    await released.promise;
  };
  return { before, reached: reached.promise, release: () => released.resolve() };
}

t.test('documents: a scan is deleted while it is written, broken off', async t => {
  const held = holding();
  const { first, second, post, call } = await twoScans(t, { lines: lines(held) });
  const pages = [first, first, second].map(({ id: scan }, at) => ({ scan, page: at === 1 ? 2 : 1 }));
  const answer = post({ pages }).then(
    ({ body }) => isWhole(body),
    () => false,
  );
  await held.reached;
  await call('DELETE', `/api/scans/${second.id}`);
  held.release();
  t.equal(await answer, false);
});

t.test('documents: they count towards clients.maxDocuments, with those of one scan', async t => {
  const held = holding();
  const config = { clients: { maxDocuments: 1 } };
  const { first, post, call, path } = await twoScans(t, { lines: lines(held), config });
  const pages = [1, 2].map(page => ({ scan: first.id, page }));
  const answer = post({ pages });
  await held.reached;
  for (const other of [await post({ pages }), await call('GET', path(first.id))])
    t.same([other.statusCode, codeOf(other)], [429, { code: 'too-many-streams' }]);
  held.release();
  t.ok(isWhole((await answer).body));
  t.equal((await call('GET', path(first.id))).statusCode, 200);
});

t.test('documents: pages of a document that was taken count as fetched', async t => {
  const made = await documentService(t, { sheets: 2 }, { config: { scans: { keepBytes: 1 } } });
  const { id: scan } = await made.ended(await made.started());
  const take = (...numbers: number[]) => made.call('POST', url, {}, { pages: numbers.map(page => ({ scan, page })) });
  t.ok(isWhole((await take(1, 1)).body));
  t.equal((await made.start()).statusCode, 507, 'one page was not taken');
  t.ok(isWhole((await take(2)).body));
  while ((await made.start()).statusCode !== 201);
});

t.test('documents: the first page is damaged, 500 storage-failed', async t => {
  const { first, post, dataDir } = await twoScans(t);
  await truncate(join(dataDir, 'scans', first.id, '1.page'), 10);
  const answer = await post({ pages: [{ scan: first.id, page: 1 }] });
  t.same([answer.statusCode, codeOf(answer)], [500, { code: 'storage-failed' }]);
});

t.test('documents: HTTP/1.0 cannot be told that it was broken off, refused', async t => {
  const { app, serve, first } = await twoScans(t);
  await serve();
  const body = JSON.stringify({ pages: [{ scan: first.id, page: 1 }] });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(
    `POST ${url} HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = await text(socket);
  t.match(answer, /^HTTP\/1\.1 400 /);
  t.match(answer, /"code":"bad-request"/);
});
