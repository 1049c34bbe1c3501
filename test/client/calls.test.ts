/** Client module in Node, against a whole service: every call, its answer, its failure. */
import { createClient, PlatenError, type Client } from '@platen/client';
import t from 'tap';
import { until, untilFed } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { desktopTopology } from '../topology/desktopTopology.js';
import { sheets, whichSide } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { closedUrl, relayTo } from './relay.js';

const fixture = await start(t, virtualTopology);
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: `${relay.url}/` });

/** The error that it rejects with. */
async function failure(promise: Promise<unknown>): Promise<PlatenError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PlatenError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

t.test('client: scanners, capabilities, status, version, health', async t => {
  t.equal(client.baseUrl, relay.url);
  const scanners = await client.listScanners();
  t.match(
    scanners.find(({ name }) => name === fixture.name('duplex')),
    { isOnline: true, hasFeeder: true, hasFlatbed: false, supportsDuplex: true },
  );
  t.match(
    await client.capabilities(fixture.name('flatbed')),
    { resolutions: [75, 100, 150, 200, 300], supportsDuplex: false },
    'a name that needs encoding',
  );
  t.match(await client.status(), { serviceOnline: true, scannerStatus: { isSourceOpen: false } });
  t.match(await client.version(), { productName: 'Platen', serviceVersion: /^\d+\.\d+\.\d+\.\d+$/ });
  t.same(await client.profiles(), {});
  t.equal(await client.health(), 'Healthy');
  t.equal(await client.cancel(), 'No scan is active');
  t.match(await failure(client.capabilities('none')), {
    code: 'device-not-found',
    httpStatus: 404,
    message: /There is no scanner named "none"/,
    pages: [],
  });
});

t.test('scan: pages whose Blobs are the images', async t => {
  await fixture.load('duplex', sheets(1, 4));
  const { status, message, pages, elapsedMs } = await client.scan(fixture.name('duplex'), {
    resolution: 75,
    colorMode: 'Color',
    imageFormat: 'Jpeg',
    report: true,
  });
  t.match({ status, message, elapsedMs }, { status: 'Success', message: 'Scanned 2 pages.', elapsedMs: Number });
  t.equal(pages.length, 2);
  for (const [at, { blob, ...facts }] of pages.entries()) {
    t.match(facts, {
      mimeType: 'image/jpeg',
      pageNumber: at + 1,
      width: 638,
      height: 825,
      resolution: 75,
      format: 'Jpeg',
      fileSizeBytes: blob.size,
      barcodes: [],
      ocrText: '',
    });
    t.notOk('base64Data' in facts);
    t.equal(blob.type, 'image/jpeg');
    t.ok(facts.report?.some(({ parameter, result }) => parameter === 'resolution' && result === 'applied'));
    t.match(await whichSide(new Uint8Array(await blob.arrayBuffer())), { ink: [1, 4][at], upright: true });
  }
});

t.test('scan: a failure, its code and the finished pages', async t => {
  await fixture.load('jamming', sheets(1, 2));
  const jam = await failure(client.scan(fixture.name('jamming'), { resolution: 75 }));
  t.match(jam, { code: 'paper-jam', message: 'Sheet 2 jammed in the feeder.', httpStatus: 500 });
  t.equal(jam.pages.length, 1);
  t.ok(jam.pages[0]?.blob.size);
  t.equal(String(jam.name), 'PlatenError');
  await fixture.load('duplex', []);
  t.match(await failure(client.scan(fixture.name('duplex'))), { code: 'no-paper', pages: [] });
  t.match(await failure(client.scan('none')), { code: 'device-not-found' });
  t.match(await failure(client.scan(fixture.name('duplex'), { resolution: 1 })), {
    code: 'invalid-value',
    httpStatus: 400,
    message: /resolution takes one of 75/,
  });
  await fixture.load('hanging', sheets(1, 2));
  const late = await failure(client.scan(fixture.name('hanging'), { resolution: 75, requestTimeoutSeconds: 1 }));
  t.match(late, { code: 'timeout', httpStatus: 504 });
  t.equal(late.pages.length, await fixture.scanned('hanging'), 'what came within the second');
});

t.test('scan: cancelled by id or by signal, the finished pages', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const named = failure(client.scan(fixture.name('slow'), { resolution: 75 }, { requestId: 'mine' }));
  await untilFed(fixture, 'slow');
  t.equal((await failure(client.scan(fixture.name('slow')))).code, 'busy');
  t.match(await client.cancel('another'), /another scan goes on/);
  t.equal(await client.cancel('mine'), 'The scan is being cancelled.');
  const first = await named;
  t.match(first, { code: 'cancelled', httpStatus: 200 });
  t.ok(first.pages.length > 0 && first.pages.length < 5, `${first.pages.length} pages`);

  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const giveUp = new AbortController();
  const aborted = failure(client.scan(fixture.name('slow'), { resolution: 75 }, { signal: giveUp.signal }));
  await untilFed(fixture, 'slow');
  giveUp.abort();
  const second = await aborted;
  t.equal(second.code, 'cancelled');
  t.ok(second.pages.length > 0 && second.pages.length < 5, `${second.pages.length} pages`);
  t.equal(second.pages.length, await fixture.scanned('slow'), 'every sheet that was scanned');

  const before = relay.requests.length;
  t.equal((await failure(client.scan(fixture.name('slow'), {}, { signal: giveUp.signal }))).code, 'cancelled');
  t.equal((await failure(client.listScanners({ signal: giveUp.signal }))).code, 'cancelled');
  t.equal(relay.requests.length, before, 'no request after the signal is aborted');
});

t.test('scan: a signal aborted at once, still ends the scan', async t => {
  await fixture.load('slow', sheets(1, 2, 3));
  const giveUp = new AbortController();
  const before = relay.requests.length;
  const aborted = failure(client.scan(fixture.name('slow'), { resolution: 75 }, { signal: giveUp.signal }));
  await until(async () => relay.requests.length > before);
  giveUp.abort();
  const { code, pages } = await aborted;
  t.equal(code, 'cancelled');
  t.equal(pages.length, await fixture.scanned('slow'));
  t.ok(pages.length < 3);
});

t.test('scan: aborted and called again at once, the second one scans', async t => {
  for (const fed of [false, true]) {
    await fixture.load('slow', sheets(1, 2, 3));
    const giveUp = new AbortController();
    const first = failure(client.scan(fixture.name('slow'), { resolution: 75 }, { signal: giveUp.signal }));
    if (fed) await untilFed(fixture, 'slow');
    else await new Promise(resolve => setImmediate(resolve));
    giveUp.abort();
    const { pages } = await client.scan(fixture.name('slow'), { resolution: 75 });
    const lost = await first;
    t.equal(lost.code, 'cancelled');
    t.equal(lost.pages.length + pages.length, 3, 'each sheet in one of them');
    t.ok(pages.length > 0);
  }
});

t.test('scan: a signal of a time limit is a timeout, with the finished pages', async t => {
  await fixture.load('slow', sheets(1, 2, 3, 4, 5));
  const limit = new AbortController();
  const late = failure(client.scan(fixture.name('slow'), { resolution: 75 }, { signal: limit.signal }));
  await untilFed(fixture, 'slow');
  limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  const { code, cause, pages } = await late;
  t.match({ code, cause }, { code: 'timeout', cause: { name: 'TimeoutError' } });
  t.equal(pages.length, await fixture.scanned('slow'));
  t.equal((await failure(client.status({ signal: AbortSignal.timeout(0) }))).code, 'timeout');
});

t.test('client: no answer, an incomplete one, another program, the code of each', async t => {
  relay.down = true;
  t.match(await failure(client.listScanners()), {
    code: 'no-answer',
    message: /Is it installed and running/,
    pages: [],
  });
  relay.down = false;
  const answering = (body: string, init?: ResponseInit): Client =>
    createClient({ fetch: async () => new Response(body, init) });
  for (const body of ['<html>', '[]', '"x"', 'null', ''])
    t.equal((await failure(answering(body).status())).code, 'unexpected-answer', body);
  const headers = { 'platen-error': '{"code":"unknown-path"}' };
  const address = Object.defineProperty(new Response('no', { status: 404, headers }), 'url', {
    value: 'https://localhost:53052/api/twain/version',
  });
  const forbidden = { status: 403, headers: { 'platen-error': '{"code":"origin-refused"}' } };
  t.match(await failure(answering('{"success":false,"error":"No page of yours."}', forbidden).health()), {
    code: 'origin-refused',
    message: 'No page of yours.',
  });
  t.equal((await failure(answering('<html>').health())).code, 'unexpected-answer');
  t.match(await failure(createClient({ fetch: async () => address }).version()), {
    code: 'unknown-path',
    message: /does not know \/api\/twain\/version/,
  });
  const broken = new Response(new ReadableStream({ start: control => control.error(new Error('reset')) }));
  t.equal((await failure(createClient({ fetch: async () => broken }).status())).code, 'no-answer');
  t.equal(
    (await failure(createClient({ baseUrl: fixture.url }).status())).code,
    'no-answer',
    'an untrusted certificate',
  );
});

t.test('diagnose: in Node, one problem where a browser has three', async t => {
  t.same(await client.diagnose(), { ok: true, findings: [] });
  t.match(await createClient({ baseUrl: await closedUrl() }).diagnose(), {
    ok: false,
    findings: [{ problem: ['not-installed', 'not-running'], sentence: /No program listens/ }],
  });
  t.match(await createClient({ baseUrl: fixture.url }).diagnose(), {
    ok: false,
    findings: [{ problem: 'certificate-not-trusted', remedy: /NODE_EXTRA_CA_CERTS/ }],
  });
  t.match(await failure(client.diagnose({ signal: AbortSignal.abort(new Error('enough')) })), {
    code: 'cancelled',
    cause: { message: 'enough' },
  });
});

t.test('client: desktop application disconnected, not-connected', async t => {
  const { url } = await relayTo(t, await start(t, desktopTopology, { desktopAway: true }));
  const client = createClient({ baseUrl: url });
  t.equal(await client.health(), 'Degraded');
  t.match(await failure(client.listScanners()), { code: 'not-connected', httpStatus: 503 });
  t.equal((await failure(client.scan('any'))).code, 'not-connected');
  t.equal((await failure(client.autoScan('any').next())).code, 'not-connected');
  t.match(await client.version(), { desktopAppConnected: false });
});
