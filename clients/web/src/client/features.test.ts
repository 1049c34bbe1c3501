/** Following features over a service that is faked, with a document that a test hides. */
import { mock } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { followFeatures } from './features.js';
import { featureEvents, features } from './scanners.js';
import { serviceAt, type Service } from './service.js';
import type { FeatureList } from './shapes.js';

const list: FeatureList = {
  revision: 1,
  barcodes: { available: true, symbologies: ['QrCode'] },
  text: { available: true, languages: ['eng'] },
  recognisers: ['barcode', 'ocr'],
  processors: [],
  formats: ['Png'],
  documents: ['pdf'],
  off: [],
};
const withoutOcr: FeatureList = { ...list, revision: 2, recognisers: ['barcode'] };

interface Stream {
  readonly path: string;
  tell(list: FeatureList): void;
  end(): void;
  readonly isClosed: boolean;
}

/** @param answer replaces that of the next requests, while it returns one */
function faked(answer: () => Response | undefined = () => undefined) {
  const streams: Stream[] = [];
  const given: typeof fetch = async (url, init) => {
    const other = answer();
    if (other) return other;
    let isClosed = false;
    let control: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: made => void (control = made),
      cancel: () => void (isClosed = true),
    });
    init?.signal?.addEventListener('abort', () => {
      isClosed = true;
      control?.error(new DOMException('aborted', 'AbortError'));
    });
    streams.push({
      path: new URL(String(url)).pathname,
      tell: told =>
        control?.enqueue(
          new TextEncoder().encode(`event: features\ndata: ${JSON.stringify({ success: true, ...told })}\n\n`),
        ),
      end: () => control?.close(),
      get isClosed() {
        return isClosed;
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { service: serviceAt({ baseUrl: 'https://localhost:53052', fetch: given }), streams };
}

const refusal = (code: string): Response =>
  new Response(JSON.stringify({ success: false, error: 'No.' }), {
    status: 403,
    headers: { 'platen-error': JSON.stringify({ code }) },
  });

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await breathe();
}

/** Follows, and has what came. */
function following(t: Test, service: Service) {
  const stop = new AbortController();
  const came: FeatureList[] = [];
  const over = (async () => {
    for await (const each of followFeatures(options => featureEvents(service, options), { signal: stop.signal }))
      came.push(each);
  })().catch((error: unknown) => error as { readonly code: string });
  // Its timers go before another test fakes them.
  t.teardown(async () => {
    stop.abort();
    await over;
  });
  return { came, over, stop: () => stop.abort() };
}

t.test('features: the list alone', async t => {
  const { service } = faked(() => new Response(JSON.stringify({ success: true, ...list })));
  t.same(await features(service), list);
});

t.test('features: now, and when it has changed; the signal closes the connection', async t => {
  const { service, streams } = faked();
  const { came, over, stop } = following(t, service);
  await settle();
  const [stream] = streams;
  t.equal(stream?.path, '/api/features/events');
  stream?.tell(list);
  stream?.tell(withoutOcr);
  await settle();
  t.same(came, [list, withoutOcr]);
  stop();
  t.match(await over, { code: 'cancelled' });
  t.ok(stream?.isClosed);
});

t.test(
  'features: a restarted service counts from 1: the same list is none, another with the same revision is one',
  async t => {
    const { service, streams } = faked();
    const { came } = following(t, service);
    await settle();
    streams[0]?.tell({ ...list, revision: 2 });
    await settle();
    streams[0]?.end();
    await settle();
    await new Promise(resolve => setTimeout(resolve));
    await settle();
    streams[1]?.tell(list);
    streams[1]?.tell({ ...withoutOcr, revision: 2 });
    await settle();
    t.same(
      came.map(({ recognisers }) => recognisers.length),
      [2, 1],
    );
  },
);

t.test('features: a service that is away for long is tried again, with pauses of 10 s at most', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  let tries = 0;
  const { service, streams } = faked(() => {
    if (++tries < 30) throw new TypeError('refused');
    return undefined;
  });
  const { came } = following(t, service);
  for (let turn = 0; turn < 30; turn++) {
    await settle();
    mock.timers.tick(10_000);
  }
  await settle();
  t.equal(tries, 30);
  streams[0]?.tell(list);
  await settle();
  t.same(came, [list]);
});

t.test('features: no connection while the document is hidden', async t => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  Object.assign(globalThis, { document: page });
  t.teardown(() => Object.assign(globalThis, { document: undefined }));
  const become = async (state: string): Promise<void> => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
    await settle();
  };
  const { service, streams } = faked();
  const { came, over, stop } = following(t, service);
  await settle();
  t.equal(streams.length, 0, 'hidden from the beginning');
  await become('visible');
  streams[0]?.tell(list);
  await settle();
  await become('hidden');
  t.ok(streams[0]?.isClosed);
  t.equal(streams.length, 1);
  await become('visible');
  streams[1]?.tell(withoutOcr);
  await settle();
  t.same(came, [list, withoutOcr]);
  await become('hidden');
  stop();
  t.match(await over, { code: 'cancelled' }, 'ends while it is hidden, too');
});

t.test('features: a page that may not scan is told, and the person is not asked', async t => {
  for (const code of ['consent-required', 'consent-refused', 'origin-refused'])
    t.match(await following(t, faked(() => refusal(code)).service).over, { code });
});
