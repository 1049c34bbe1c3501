import t from 'tap';
import { createParser, readEvents } from './events.js';

const stream =
  'retry: 3000\n\n: still here\n\nid: 7-1\nevent: image\ndata: {"a":1}\n\nid: 7-2\r\nevent: image\r\ndata: x: y\r\n\r\ndata\n\nevent:disabled\ndata:one\ndata: two\n\nevent: lost\ndata: half';
const events = [
  { event: 'image', id: '7-1', data: '{"a":1}' },
  { event: 'image', id: '7-2', data: 'x: y' },
  { event: 'message', id: '7-2', data: '' },
  { event: 'disabled', id: '7-2', data: 'one\ntwo' },
];

t.test('parser: any split of the stream, the same events', async t => {
  for (let size = 1; size <= stream.length; size++) {
    const parser = createParser();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...parser.take(stream.slice(at, at + size)));
    t.strictSame(found, events, `pieces of ${size}`);
    t.equal(parser.midway, true, 'the half event is no event');
  }
});

t.test('parser: an event without data, ignored; between events, not midway', async t => {
  const parser = createParser();
  t.strictSame(parser.take('event: image\n\n'), []);
  t.equal(parser.midway, false);
  parser.take('data: x');
  t.equal(parser.midway, true);
});

function body(): {
  body: ReadableStream<Uint8Array>;
  send(text: Uint8Array): void;
  end(): void;
  break(error: Error): void;
  closed: () => boolean;
} {
  let closed = false;
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const made = new ReadableStream<Uint8Array>({
    start: given => void (control = given),
    cancel: () => void (closed = true),
  });
  return {
    body: made,
    send: bytes => control?.enqueue(bytes),
    end: () => control?.close(),
    break: error => control?.error(error),
    closed: () => closed,
  };
}

const bytes = new TextEncoder();

t.test('readEvents: split characters, quiet and the end', async t => {
  const source = body();
  const reader = readEvents(source.body);
  t.equal(await reader.next(1), 'quiet');
  const text = bytes.encode('data: Größe\n\ndata: 2\n\n');
  source.send(text.slice(0, 9));
  t.equal(await reader.next(1), 'quiet');
  t.equal(reader.midway, true);
  source.send(text.slice(9));
  t.match(await reader.next(10_000), { data: 'Größe' });
  t.equal(reader.midway, true, 'another one is ready');
  t.match(await reader.next(10_000), { data: '2' });
  t.equal(reader.midway, false);
  source.end();
  t.equal(await reader.next(10_000), 'end');
});

t.test('readEvents: a lost connection rejects; a closed reader releases the body', async t => {
  const lost = body();
  const reader = readEvents(lost.body);
  lost.break(new Error('gone'));
  await t.rejects(reader.next(10_000), /gone/);
  const left = body();
  const other = readEvents(left.body);
  t.equal(await other.next(1), 'quiet');
  other.close();
  t.equal(left.closed(), true);
});
