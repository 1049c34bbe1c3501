/** The bytes of pages, over a server that fails. */
import t from 'tap';
import { createClient, type Scan, type ScanPage } from '../index.js';
import { id } from './servedScan.test.kit.js';
import { scanServer } from './scanServer.test.kit.js';

async function next(scan: Scan): Promise<ScanPage> {
  const { value } = await scan.pages().next();
  if (!value) throw new Error('The loop ended.');
  return value;
}

t.test('blob: torn or wrong bytes are fetched again; wrong twice, unexpected-answer', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one');
  const page = await next(scan);
  const call = `GET /api/scans/${id}/pages`;
  for (const faults of [['torn'], ['wrong'], ['unheard', 'wrong', 'torn']] as const) {
    server.fail(call, ...faults);
    t.equal(await (await page.blob()).text(), 'one', faults.join());
  }
  server.fail(call, 'wrong', 'wrong');
  await t.rejects(page.blob(), { code: 'unexpected-answer' });
  server.fail(call, 500);
  await t.rejects(page.blob(), { code: 'storage-failed', httpStatus: 500 });
  await t.rejects(page.blob({ signal: AbortSignal.abort() }), { code: 'cancelled' });
  t.equal((await page.thumbnail(100)).type, 'image/jpeg');
});

t.test('blob and thumbnail, turned: asked for with their turn; torn, fetched again', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one');
  const page = await next(scan);
  const call = `GET /api/scans/${id}/pages`;
  server.fail(call, 'torn', 'unheard');
  const turned = await page.blob({ rotate: 90 });
  t.same([await turned.text(), turned.type], ['one@90 ', 'image/png'], 'its digest is that of the page before');
  server.fail(call, 'torn');
  const small = await page.thumbnail(100, { rotate: 270 });
  t.same([await small.text(), small.type], ['one@270 ', 'image/jpeg']);
  t.equal(await (await page.blob({ rotate: 0 })).text(), 'one');
  await page.thumbnail(50, { rotate: 0 });
  const queries = server.asked.filter(each => each.call === call).map(({ query }) => query);
  t.same([...new Set(queries)], ['rotate=90', 'width=100&rotate=270', '', 'width=50']);
  server.fail(call, 400);
  await t.rejects(page.blob({ rotate: 180 }), { code: 'invalid-value' });
  await t.rejects(page.thumbnail(100, { rotate: 90, signal: AbortSignal.abort() }), { code: 'cancelled' });
});

t.test('blob: shorter than its length, though the connection looks whole, fetched again', async t => {
  const server = await scanServer(t);
  let cut = 1;
  const short: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).includes('rotate=') || cut-- <= 0) return response;
    return new Response((await response.arrayBuffer()).slice(0, -1), response);
  };
  const scan = await createClient({ baseUrl: server.url, fetch: short }).startScan('Feeder');
  server.add('one');
  const page = await next(scan);
  t.equal(await (await page.blob({ rotate: 90 })).text(), 'one@90 ');
  t.equal(server.count(`GET /api/scans/${id}/pages`), 2);
});

t.test('blob: no digest in an insecure page, the size is checked', async t => {
  const server = await scanServer(t);
  const scan = await createClient({ baseUrl: server.url }).startScan('Feeder');
  server.add('one');
  const page = await next(scan);
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
  t.teardown(() => delete (crypto as Partial<Record<'subtle', unknown>>).subtle);
  server.fail(`GET /api/scans/${id}/pages`, 'wrong');
  t.equal(await (await page.blob()).text(), 'on?');
});
