/** Documents of a scan: whole, or an error, over a server that fails. */
import t from 'tap';
import { rangesOf } from './scanDocument.js';
import { createClient, type Scan } from '../index.js';
import { id } from './servedScan.test.kit.js';
import { scanServer, until, type ScanServer } from './scanServer.test.kit.js';

const call = `GET /api/scans/${id}/document`;
const asked = (server: ScanServer): readonly string[] =>
  server.asked.filter(each => each.call === call).map(({ query }) => decodeURIComponent(query));

/** A scan with these pages that is over. */
async function completed(server: ScanServer, ...pages: readonly string[]): Promise<Scan> {
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  for (const page of pages) server.add(page);
  server.end('completed');
  return scan;
}

t.test('document: a PDF of all pages; its options, in the address', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one ', 'two');
  const bytes: number[] = [];
  const document = await scan.document(undefined, { onProgress: count => bytes.push(count) });
  t.same([await document.text(), document.type], ['one two', 'application/pdf']);
  t.equal(bytes.at(-1), 7);
  const turned = { 3: 90, 1: 0, 5: 180 } as const;
  await scan.document('tif', { pages: [1, 3, 2], rotate: turned, title: 'Ä & b', searchable: false, barcodes: true });
  await scan.document('pdf', { rotate: 270, pages: [] });
  await scan.document('pdf', { rotate: 0 });
  t.same(asked(server), [
    'format=pdf',
    'format=tif&pages=1,3,2&rotate=3:90,5:180&title=Ä+&+b&searchable=false&barcodes=true',
    'format=pdf&pages=&rotate=all:270',
    'format=pdf',
  ]);
});

t.test('rangesOf: neighbours in ascending order are a range; repeats and other orders are kept', async t => {
  const cases = [
    [[], ''],
    [[7], '7'],
    [[1, 2, 3, 7], '1-3,7'],
    [[3, 2, 1], '3,2,1'],
    [[1, 1, 2, 2], '1,1-2,2'],
    [Array.from({ length: 20_000 }, (_, at) => at + 1), '1-20000'],
  ] as const;
  for (const [pages, ranges] of cases) t.equal(rangesOf(pages), ranges);
});

t.test('document: while the scan runs, whole when it is over; its state is known then', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one ');
  let bytes = 0;
  const asked = scan.document('pdf', { onProgress: count => (bytes = count) });
  await until(() => bytes === 4);
  t.equal(scan.state, 'running', 'the first page arrives before the second is scanned');
  server.add('two');
  server.end('failed', 'paper-jam');
  t.equal(await (await asked).text(), 'one two');
  t.match(scan, { state: 'failed', code: 'paper-jam', pageCount: 2 });
});

t.test('document: its answer is lost or breaks off, asked for again', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one ', 'two');
  const bytes: number[] = [];
  for (const faults of [['unheard', 'lost'], ['torn'], ['torn', 'unheard', 'torn'], ['torn', 429]] as const) {
    server.fail(call, ...faults);
    t.equal(await (await scan.document('pdf', { onProgress: count => bytes.push(count) })).text(), 'one two');
  }
  t.ok(
    bytes.some((count, at) => at > 0 && count <= (bytes[at - 1] ?? 0)),
    'it counts from the beginning again',
  );
  server.fail(call, 'torn', 'torn', 'torn', 'torn');
  await t.rejects(scan.document(), { code: 'internal' }, 'the service answers, but cannot write it');
});

t.test('document: the service ends and restarts while the scan runs, whole', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one ');
  let bytes = 0;
  const document = scan.document('pdf', { onProgress: count => (bytes = count) });
  await until(() => bytes === 4);
  await server.stop();
  server.end('interrupted', 'service-ended');
  await server.restart();
  t.equal(await (await document).text(), 'one ');
  t.match(scan, { state: 'interrupted', code: 'service-ended' });
});

t.test('document: a damaged page, failed with its sentence', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one ', 'two ', 'three');
  server.damage(2);
  await t.rejects(scan.document(), { code: 'storage-failed', message: 'Page 2 was damaged.' });
  t.equal(asked(server).length, 1, 'asked for once');
});

t.test('document: let go while it is written, scan-not-found', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one');
  server.fail(call, 'torn');
  server.fail(`GET /api/scans/${id}`, 404);
  await t.rejects(scan.document(), { code: 'scan-not-found' });
});

t.test('document: more single pages than an address holds, in the body of a request', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one ', 'two ');
  const many = Array.from({ length: 7000 }, (_, at) => 2 - (at % 2));
  const document = await scan.document('tif', { pages: many, rotate: { 1: 90 }, title: 'A', searchable: false });
  t.equal(await document.text(), 'two one @90 '.repeat(3500));
  t.equal(asked(server).length, 0);
  const sent = JSON.parse(server.asked.findLast(each => each.call === 'POST /api/documents')?.body ?? '') as object;
  t.match(sent, {
    format: 'tif',
    title: 'A',
    searchable: false,
    pages: [
      { scan: id, page: 2 },
      { page: 1, rotate: 90 },
    ],
  });
  t.equal(await (await scan.document('pdf', { pages: many, rotate: 180 })).text(), 'two @180 one @180 '.repeat(3500));
  await scan.document('pdf', { pages: many.slice(0, 2000) });
  t.equal(asked(server).length, 1, 'as many as fit are asked for while the scan may run');
  const rotate = Object.fromEntries(many.map((_, at) => [at, 90 as const]));
  await t.rejects(scan.document('pdf', { rotate }), { code: 'invalid-value' }, 'turns of pages that are not listed');
});

t.test('document of pages: of scans and ids, in order, turned; its options, in the body', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  const scan = await completed(server, 'one ', 'two ');
  const bytes: number[] = [];
  const pages = [
    { scan, number: 2, rotate: 90 },
    { scan: id, number: 1 },
    { scan: scan.id, number: 2, rotate: 0 },
  ] as const;
  const document = await client.document(pages, { onProgress: count => bytes.push(count) });
  t.equal(await document.text(), 'two @90 one two ');
  t.equal(bytes.at(-1), document.size);
  await client.document(pages.slice(1), { format: 'tif', title: 'Ä', searchable: true, barcodes: true });
  const sent = server.asked.filter(({ call }) => call === 'POST /api/documents').map(each => each.body);
  t.strictSame(sent.map(each => JSON.parse(each) as object), [
    { pages: [{ scan: id, page: 2, rotate: 90 }, { scan: id, page: 1 }, { scan: id, page: 2, rotate: 0 }] },
    {
      format: 'tif',
      title: 'Ä',
      searchable: true,
      barcodes: true,
      pages: [{ scan: id, page: 1 }, { scan: id, page: 2, rotate: 0 }],
    },
  ]); // prettier-ignore
  await t.rejects(client.document([{ scan: 'other', number: 1 }]), { code: 'scan-not-found' });
});

t.test('document of pages: its answer is lost or breaks off, asked for again; damaged, failed', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  await completed(server, 'one ', 'two ');
  const call = 'POST /api/documents';
  const pages = [2, 1].map(number => ({ scan: id, number }));
  for (const faults of [['unheard', 'lost'], ['torn'], ['torn', 429]] as const) {
    server.fail(call, ...faults);
    t.equal(await (await client.document(pages)).text(), 'two one ', faults.join());
  }
  server.fail(call, 400);
  await t.rejects(client.document([]), { code: 'invalid-value', httpStatus: 400 });
  server.damage(2);
  server.fail(call, 'torn');
  await t.rejects(client.document(pages), { code: 'storage-failed', message: 'Page 2 was damaged.' });
  server.fail(call, 'torn');
  t.equal(await (await client.document(pages.slice(1))).text(), 'one ', 'the damaged page is not in it');
  await t.rejects(client.document(pages, { signal: AbortSignal.abort() }), { code: 'cancelled' });
});

t.test('document of fronts and backs: scans and ids, in the body; damaged, failed', async t => {
  const server = await scanServer(t);
  const client = createClient({ baseUrl: server.url });
  const fronts = await completed(server, 'one ', 'two ');
  const call = 'POST /api/documents';
  const passes = { fronts, backs: 'other', backsOrder: 'same' } as const;
  t.equal(await (await client.document(passes, { title: 'Ä' })).text(), 'one two two one ');
  server.fail(call, 400);
  await t.rejects(client.document({ fronts: id, backs: 'other' }), { code: 'invalid-value', httpStatus: 400 });
  const sent = server.asked.filter(each => each.call === call).map(({ body }) => JSON.parse(body) as object);
  t.strictSame(sent, [
    { title: 'Ä', interleave: { fronts: id, backs: 'other', backsOrder: 'same' } },
    { interleave: { fronts: id, backs: 'other' } },
  ]);
  server.damage(2);
  server.fail(call, 'torn');
  await t.rejects(client.document(passes), { code: 'storage-failed', message: 'Page 2 was damaged.' });
});

t.test('document: a format that the service refuses, refused', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one');
  server.fail(call, 400);
  await t.rejects(scan.document('docx'), { code: 'invalid-value', httpStatus: 400 });
  t.equal(asked(server).length, 1, 'asked for once');
});

t.test('document: a scan that ends without a page, no-pages; its state is known then', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.end('failed', 'no-paper');
  await t.rejects(scan.document(), { code: 'no-pages', httpStatus: 404 });
  t.match(scan, { state: 'failed', code: 'no-paper' });
});

t.test('document: aborted before the call, while it waits, while it arrives', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  await t.rejects(scan.document('pdf', { signal: AbortSignal.abort() }), { code: 'cancelled' });
  t.equal(asked(server).length, 0);
  const reason = new Error('enough');
  const waiting = new AbortController();
  const first = scan.document('pdf', { signal: waiting.signal });
  await until(() => server.documents() === 1);
  waiting.abort(reason);
  await t.rejects(first, { code: 'cancelled', cause: reason });
  server.add('one');
  const arriving = new AbortController();
  const onProgress = (): void => arriving.abort(reason);
  await t.rejects(scan.document('pdf', { signal: arriving.signal, onProgress }), { code: 'cancelled', cause: reason });
  await until(() => server.documents() === 0);
  t.equal(server.count(`POST /api/scans/${id}/cancel`), 0, 'the scan runs on');
  t.equal(scan.state, 'running');
});

t.test('documents: each with its pages, fetched like the document of the scan', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one', 'two', 'three', 'four');
  server.fail(`GET /api/scans/${id}/documents`, 'unheard', 'torn');
  const [document, ...more] = await scan.documents();
  t.same(more, []);
  t.match(document, { number: 1, name: 'Document 1', pages: [1, 2, 4], isComplete: true });
  t.equal(document?.url, `${server.url}/api/scans/${id}/document?pages=1-2%2C4`);
  await document?.document('tif', { title: 'A' });
  t.same(asked(server), ['format=tif&pages=1-2,4&title=A']);
  await t.rejects(scan.documents({ signal: AbortSignal.abort() }), { code: 'cancelled' });
});
