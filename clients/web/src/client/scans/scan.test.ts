import { mock } from 'node:test';
import t from 'tap';
import { createClient, type PlatenError } from '../index.js';

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

/** A service with this answer to a scan. */
const answering = (text: string) =>
  createClient({ baseUrl: 'https://service', fetch: async () => new Response(text) }).scan('any');

const completed = (images: readonly object[], space?: number) =>
  JSON.stringify({ success: true, status: 'Completed', message: '', images, elapsedMs: 1 }, undefined, space);

t.test('scan: an answer that a proxy has indented, the same pages', async t => {
  const whole = { ...image, fileSizeBytes: 3 };
  for (const space of [undefined, 2])
    t.match(await answering(completed([whole], space)), { pages: [{ blob: { size: 3, type: 'image/png' } }] });
});

t.test('scan: a page whose bytes do not decode is an error, with the other pages', async t => {
  const whole = { ...image, fileSizeBytes: 3 };
  const damaged: readonly Readonly<Record<string, unknown>>[] = [
    { base64Data: '' },
    { base64Data: 'AAAA', fileSizeBytes: 4 },
    { base64Data: 'AAAAAA==', fileSizeBytes: 3 },
  ];
  for (const space of [undefined, 2])
    for (const page of damaged) {
      const answer = completed([whole, { ...whole, pageNumber: 2, ...page }], space);
      await t.rejects(answering(answer), { code: 'unexpected-answer', pages: [{ pageNumber: 1 }] });
    }
  await t.rejects(answering(completed([{ ...whole, base64Data: '%%%%' }])), { code: 'unexpected-answer', pages: [] });
});
