import { mock } from 'node:test';
import t from 'tap';
import { createClient, type PlatenError } from './index.js';

const image = { base64Data: 'AAAA', mimeType: 'image/png', pageNumber: 1 };
const cancelled = JSON.stringify({
  success: false,
  status: 'Cancelled',
  message: 'The scan was cancelled.',
  images: [image],
  elapsedMs: 1,
});

/** Advances the clock by this time and runs what it triggers. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    mock.timers.tick(500);
    await new Promise(resolve => setImmediate(resolve));
  }
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

t.test('scan: aborted while its pages arrive, gets all of them, however long they take', async t => {
  const stop = new AbortController();
  let rest = (): void => undefined;
  const fetched: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/cancel')) return Response.json({ success: true, message: '' });
    const body = new ReadableStream<Uint8Array>({
      start(control) {
        const bytes = new TextEncoder().encode(cancelled);
        control.enqueue(bytes.slice(0, 40));
        init?.signal?.addEventListener('abort', () => control.error(new Error('hung up')));
        rest = () => {
          control.enqueue(bytes.slice(40));
          control.close();
        };
      },
    });
    return new Response(body);
  };
  const scanning = createClient({ baseUrl: 'https://service', fetch: fetched })
    .scan('any', {}, { signal: stop.signal })
    .catch((error: PlatenError) => error);
  stop.abort();
  await pass(300_000);
  rest();
  t.match(await scanning, { code: 'cancelled', pages: [{ pageNumber: 1, blob: { size: 3 } }] });
});

t.test('scan: aborted without an answer, the cancel is repeated, then the request is aborted', async t => {
  const stop = new AbortController();
  let cancels = 0;
  const fetched: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('/cancel'))
      return new Promise<Response>((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('hung up'))),
      );
    cancels++;
    return Response.json({ success: true, message: '' });
  };
  const scanning = createClient({ baseUrl: 'https://service', fetch: fetched })
    .scan('any', {}, { signal: stop.signal })
    .catch((error: PlatenError) => error);
  stop.abort();
  await pass(300_000);
  t.match(await scanning, { code: 'cancelled', pages: [] });
  t.ok(cancels > 2);
});
