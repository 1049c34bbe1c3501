/** startScan() on a service without scans as resources, imitated by a server that knows the interface only. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { createClient, type PlatenError, type ScanPage } from './index.js';

interface Older {
  readonly url: string;
  readonly calls: readonly string[];
}

/**
 * @param answers those of its scans, one after the other; `wait` waits for the cancel
 * @param forbids whether its CORS rules forbid a page the key's header: the browser then sends nothing
 */
async function olderService(t: Test, answers: (object | 'wait')[], forbids = false): Promise<Older> {
  const calls: string[] = [];
  let waiting: ServerResponse | undefined;
  const server = createServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    calls.push(call);
    request.resume();
    if (call === 'POST /api/twain/scan') {
      const answer = answers.shift();
      if (answer === 'wait') waiting = response;
      else response.writeHead(answer && 'error' in answer ? 500 : 200).end(JSON.stringify(answer));
    } else if (call === 'POST /api/twain/cancel') {
      response.end(JSON.stringify({ success: true, message: 'The scan is being cancelled.' }));
      waiting?.writeHead(200).end(JSON.stringify(result('Cancelled', 1)));
      waiting = undefined;
    } else if (forbids && request.method === 'POST') request.socket.destroy();
    else response.writeHead(404).end('{"success":false,"error":"There is no such path."}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

const result = (status: string, count: number): object => ({
  success: status === 'Success',
  status,
  message: `It ended with ${status}.`,
  ...(status === 'Success' ? {} : { error: `It ended with ${status}.` }),
  images: Array.from({ length: count }, (_, at) => ({
    base64Data: Buffer.from(`page ${at + 1}`).toString('base64'),
    mimeType: 'image/png',
    pageNumber: at + 1,
    fileSizeBytes: 6,
    barcodes: [],
    ocrText: '',
  })),
  elapsedMs: 1,
});

async function all(pages: AsyncIterable<ScanPage>): Promise<{ found: ScanPage[]; error?: PlatenError<ScanPage> }> {
  const found: ScanPage[] = [];
  try {
    for await (const page of pages) found.push(page);
  } catch (error) {
    return { found, error: error as PlatenError<ScanPage> };
  }
  return { found };
}

for (const forbids of [false, true])
  t.test(
    `older service${forbids ? ' that forbids the header' : ''}: the same loop, with its pages at the end`,
    async t => {
      const service = await olderService(t, [result('Success', 4)], forbids);
      const client = createClient({ baseUrl: service.url });
      const scan = await client.startScan('Feeder', { duplexMode: 'DuplexLongEdge' });
      const { found, error } = await all(scan.pages());
      t.equal(error, undefined);
      t.same(
        found.map(({ number, sheet, side, bytes }) => [number, sheet, side, bytes]),
        [
          [1, 1, 'front', 6],
          [2, 1, 'back', 6],
          [3, 2, 'front', 6],
          [4, 2, 'back', 6],
        ],
      );
      const [, , , fourth] = found;
      t.equal(await (await fourth?.blob())?.text(), 'page 4');
      t.equal(await (await fourth?.thumbnail(100, { rotate: 0 }))?.text(), 'page 4');
      for (const turn of [() => fourth?.blob({ rotate: 90 }), () => fourth?.thumbnail(100, { rotate: 90 })])
        await t.rejects(async () => void (await turn()), { code: 'wrong-version' });
      t.match(found[0]?.sha256, /^[\da-f]{64}$/);
      t.match(scan, { state: 'completed', pageCount: 4, notes: [] });
      const before = service.calls.length;
      await scan.done();
      t.equal(service.calls.length, before);
      t.same(await client.listScans(), []);
      await t.rejects(client.resumeScan(scan.id), { code: 'wrong-version' });
      if (!forbids) await t.rejects(client.document([{ scan, number: 1 }]), { code: 'wrong-version' });
    },
  );

t.test('older service: a jam, its code and pages; continue scans again, and pages go on counting', async t => {
  const service = await olderService(t, [result('PaperJam', 1), result('Success', 2)]);
  const scan = await createClient({ baseUrl: service.url }).startScan('Feeder');
  const jam = await all(scan.pages());
  t.match(jam, { found: [{ number: 1 }], error: { code: 'paper-jam', pages: [{ number: 1, sheet: 1 }] } });
  t.match(scan, { state: 'failed', code: 'paper-jam' });
  await scan.continue();
  t.match(await all(scan.pages()), { found: [{ number: 2, sheet: 2 }, { number: 3 }], error: undefined });
});

t.test('older service: cancelled by the call or by the signal, what was scanned arrives', async t => {
  for (const way of ['call', 'signal']) {
    const service = await olderService(t, ['wait']);
    const stop = new AbortController();
    const scan = await createClient({ baseUrl: service.url }).startScan('Feeder', {}, { signal: stop.signal });
    t.equal(scan.state, 'running');
    await t.rejects(scan.continue(), { code: 'busy' });
    const scanning = all(scan.pages());
    while (!service.calls.includes('POST /api/twain/scan')) await new Promise(setImmediate);
    if (way === 'call') await scan.cancel();
    else stop.abort();
    t.match(await scanning, { found: [{ number: 1 }], error: { code: 'cancelled' } }, way);
  }
});

t.test('older service: the loop is left while it scans, ends at once', async t => {
  const service = await olderService(t, ['wait']);
  const scan = await createClient({ baseUrl: service.url }).startScan('Feeder');
  const pages = scan.pages();
  const waiting = pages.next();
  await pages.return?.();
  t.match(await waiting, { done: true });
  await scan.cancel();
});
