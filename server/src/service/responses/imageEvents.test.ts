/** The event stream on a real connection: the bytes sent, and when a page counts as taken. */
import { Writable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { createClients } from './clients.js';
import { createImageEvents } from './imageEvents.js';
import { fakeReader, kept, limits, listen, serve, until } from './eventStream.test.kit.js';

const after = (text: string): string => text.replace('retry: 3000\n\n', '');

t.test('event stream: headers and retry time come at once, before any page', async t => {
  const { port, reader } = await serve(t);
  reader('a');
  const { response, got } = await listen(port, 'a');
  t.equal(response.statusCode, 200);
  t.match(response.headers, { 'content-type': /^text\/event-stream/, 'cache-control': /^no-store\b/ });
  await until(() => got.text !== '');
  t.equal(got.text, 'retry: 3000\n\n');
});

t.test("event stream: one event per page, with id, name and the interface's Image in one line", async t => {
  const { port, reader } = await serve(t);
  const { page: give, seen, end } = reader('a');
  const { got } = await listen(port, 'a');
  give('9-3');
  await until(() => seen.taken.length === 1);
  end('disabled', 'by request');
  await until(() => got.over);
  const [image, last, rest] = after(got.text).split('\n\n');
  const [id, event, data, ...more] = (image ?? '').split('\n');
  t.same([id, event, more], ['id: 9-3', 'event: image', []]);
  t.same(JSON.parse(data?.replace(/^data: /, '') ?? ''), {
    base64Data: 'BwcHBwc=',
    mimeType: 'image/png',
    pageNumber: 3,
    width: 10,
    height: 20,
    resolution: 200,
    format: 'Png',
    fileSizeBytes: 5,
    ocrText: 'a\nb',
    barcodes: [],
  });
  t.equal(last, 'event: disabled\ndata: {"message":"by request"}');
  t.equal(rest, '');
  t.equal(seen.left, true);
});

t.test('event stream: report is present on request', async t => {
  const { port, reader } = await serve(t);
  const { page: give } = reader('a');
  const { got } = await listen(port, 'a');
  give('9-1', kept(5, { report: true }));
  await until(() => got.text.includes('"report":[{"parameter":"autoCrop"'));
  t.pass();
});

t.test('event stream: an error event has its reason and ends the stream', async t => {
  const { port, reader } = await serve(t);
  const { end } = reader('a');
  const { got } = await listen(port, 'a');
  end('error', 'Desk is offline.');
  await until(() => got.over);
  t.equal(after(got.text), 'event: error\ndata: {"error":"Desk is offline."}\n\n');
});

t.test('event stream: the last event has its code on request', async t => {
  const { port, reader } = await serve(t);
  for (const [event, code] of [
    ['disabled', 'requested'],
    ['error', 'device-lost'],
  ] as const) {
    const { end } = reader(event);
    const { got } = await listen(port, `${event}?report=true`);
    end(event, 'Why.');
    await until(() => got.over);
    const [, data = ''] = after(got.text).split('data: ');
    t.same(JSON.parse(data), { [event === 'error' ? 'error' : 'message']: 'Why.', code });
  }
});

t.test('event stream: paths in a reason are relative to the data folder', async t => {
  const { port, reader } = await serve(t);
  const { end } = reader('a');
  const { got } = await listen(port, 'a');
  end('error', 'The tray /srv/anna/platen/trays/a does not exist.');
  await until(() => got.over);
  t.equal(after(got.text), 'event: error\ndata: {"error":"The tray trays/a does not exist."}\n\n');
});

t.test('event stream: a page larger than a slice is one base64 text', async t => {
  const { port, reader } = await serve(t);
  const { page: give, end } = reader('a');
  const { got } = await listen(port, 'a');
  const size = 3 * 256 * 1024 + 1;
  give('9-1', kept(size));
  end('disabled', '');
  await until(() => got.over);
  const { base64Data } = JSON.parse(/data: (.*"base64Data".*)\n/.exec(got.text)?.[1] ?? '{}') as { base64Data: string };
  t.ok(Buffer.from(base64Data, 'base64').equals(Buffer.alloc(size, 7)));
});

t.test('event stream: an idle stream gets a comment every 15 s', async t => {
  const { port, reader, clock } = await serve(t);
  const { page: give, seen } = reader('a');
  const { got } = await listen(port, 'a');
  await until(() => got.text !== '');
  await clock.advance(14_999);
  t.equal(after(got.text), '');
  await clock.advance(1);
  await until(() => after(got.text) === ': still here\n\n');
  await clock.advance(15_000);
  await until(() => after(got.text) === ': still here\n\n: still here\n\n');
  give('9-1');
  await until(() => seen.taken.length === 1 && got.text.includes('id: 9-1\n'));
  t.match(after(got.text), /^(: still here\n\n){2}id: 9-1\n/, 'no page is lost by it');
});

t.test('event stream: the client disconnects while waiting or during a page, the reader leaves', async t => {
  for (const size of [0, 16_000_000]) {
    const { port, reader, clients } = await serve(t);
    const { page: give, seen } = reader('a');
    const { response, hangUp } = await listen(port, 'a');
    if (size) {
      response.pause();
      give('9-1', kept(size));
      await until(() => clients.get('a')?.writableNeedDrain === true);
    }
    hangUp();
    await until(() => seen.left);
    t.same(seen.taken, [], `${size} bytes`);
  }
});

t.test('event stream: the client is gone before the stream begins, the reader leaves', async t => {
  const clock = fakeClock();
  const say = (): void => undefined;
  const { reader, seen } = fakeReader();
  const raw = new Writable().destroy();
  createImageEvents({
    clients: createClients(limits, clock),
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    forPages: said => said,
  })(reader, { raw, hijack: () => undefined } as never, false);
  await breathe();
  t.equal(seen.left, true);
});

t.test('event stream: unreadable bytes, an error event, a log line, and the end', async t => {
  const { port, reader, log } = await serve(t);
  const { page: give, seen } = reader('a');
  const { got } = await listen(port, 'a');
  async function* read(): AsyncGenerator<Uint8Array> {
    yield* [];
    throw new Error('ENOENT: the spool');
  }
  give('9-1', kept(5, { read }));
  await until(() => got.over);
  t.match(after(got.text), /^event: error\ndata: \{"error":"Could not read the pages back/);
  t.match(log, [/ENOENT: the spool/]);
  t.same(seen, { taken: [], left: true, ended: false });
});

t.test('event stream: bytes discarded at the end while being read are not an error', async t => {
  const { port, reader, log } = await serve(t);
  const { page: give, seen, end } = reader('a');
  const { got } = await listen(port, 'a');
  async function* read(): AsyncGenerator<Uint8Array> {
    seen.ended = true;
    end('disabled', 'by request');
    yield* [];
    throw new Error('ENOENT');
  }
  give('9-1', kept(5, { read }));
  await until(() => got.over);
  t.equal(after(got.text), 'event: disabled\ndata: {"message":"by request"}\n\n');
  t.same(log, []);
});
