/** Documents of a scan: whole, or an error, over a server that fails. */
import t from 'tap';
import { rangesOf } from './document.js';
import { createClient, type Scan } from './index.js';
import { id, scanServer, until, type ScanServer } from './scanServer.test.kit.js';

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
  await t.rejects(scan.document(), { code: 'failed' }, 'the service answers, but cannot write it');
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
  t.match(scan, { state: 'interrupted', code: 'interrupted' });
});

t.test('document: a damaged page, failed with its sentence', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one ', 'two ', 'three');
  server.damage(2);
  await t.rejects(scan.document(), { code: 'failed', message: 'Page 2 was damaged.' });
  t.equal(asked(server).length, 1, 'asked for once');
});

t.test('document: let go while it is written, scan-not-found', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one');
  server.fail(call, 'torn');
  server.fail(`GET /api/scans/${id}`, 404);
  await t.rejects(scan.document(), { code: 'scan-not-found' });
});

t.test('document: more single pages than an address holds, refused without a request', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one');
  const descending = Array.from({ length: 4000 }, (_, at) => 4000 - at);
  await t.rejects(scan.document('pdf', { pages: descending }), { code: 'refused' });
  t.equal(asked(server).length, 0);
  await scan.document('pdf', { pages: descending.slice(0, 2000) });
  t.equal(asked(server).length, 1);
});

t.test('document: a format that the service refuses, refused', async t => {
  const server = await scanServer(t);
  const scan = await completed(server, 'one');
  server.fail(call, 400);
  await t.rejects(scan.document('docx'), { code: 'refused', httpStatus: 400 });
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
