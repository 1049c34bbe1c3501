/** Frames: any split of the stream, placement, and hostile frames. */
import t from 'tap';
import { encodeFrame, type Frame, frameLimits, type FrameOptions, readFrames } from './frames.js';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function framesOf(bytes: Uint8Array, size: number, options: FrameOptions = {}): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(inChunks(bytes, size), options)) frames.push(frame);
  return frames;
}

/** A frame written by hand; its lengths may be wrong. */
function raw(
  header: string | Uint8Array,
  data: Uint8Array = new Uint8Array(),
  lengths: { header?: number; data?: number } = {},
): Buffer {
  const head = Buffer.from(header as string);
  const lead = Buffer.alloc(8);
  lead.writeUInt32LE(lengths.header ?? head.length, 0);
  lead.writeUInt32LE(lengths.data ?? data.length, 4);
  return Buffer.concat([lead, head, data]);
}

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7) % 251);

const messages: Frame[] = [
  { header: { hello: { name: 'sane' } }, data: new Uint8Array() },
  { header: { id: 1, more: true, text: 'Bürogerät „ß“ \n 漢' }, data: bytes(300) },
  { header: {}, data: bytes(1) },
  { header: { ['__proto__']: 1, id: 2 }, data: new Uint8Array() },
];
const stream = Buffer.concat(messages.flatMap(({ header, data }) => encodeFrame(header, data)));

for (const size of [1, 2, 3, 7, 8, 9, 64, stream.length]) {
  void t.test(`frames: a stream split every ${size} bytes, unchanged`, async t => {
    t.strictSame(
      (await framesOf(stream, size)).map(({ header, data }) => [JSON.stringify(header), [...data]]),
      messages.map(({ header, data }) => [JSON.stringify(header), [...data]]),
    );
  });
}

void t.test('frames: data to write, not copied; empty data is not written', async t => {
  const data = bytes(10);
  t.equal(encodeFrame({}, data)[1], data);
  t.equal(encodeFrame({}).length, 1);
});

void t.test('frames: fresh data, shares no memory with the stream', async t => {
  const copy = Buffer.from(stream);
  const frames = await framesOf(copy, copy.length);
  copy.fill(0);
  t.strictSame([...frames[1]!.data], [...messages[1]!.data]);
  t.equal(frames[1]!.data.buffer.byteLength, 300);
  t.notOk(Buffer.isBuffer(frames[1]!.data), 'a plain array: its slice() copies');
});

for (const size of [5, 4096]) {
  void t.test(`frames: chunks of ${size}, bands go where place says`, async t => {
    const page = new Uint8Array(6);
    const sent = Buffer.concat([0, 2, 4].flatMap(at => encodeFrame({ at }, Uint8Array.of(at + 1, at + 2))));
    const frames = await framesOf(sent, size, {
      place: ({ at }, length) => page.subarray(Number(at), Number(at) + length),
    });
    t.strictSame([...page], [1, 2, 3, 4, 5, 6]);
    t.equal(frames[2]!.data.buffer, page.buffer);
  });
}

void t.test('frames: place, called only after the previous frame was taken', async t => {
  const order: string[] = [];
  const sent = Buffer.concat([...encodeFrame({ n: 1 }, bytes(3)), ...encodeFrame({ n: 2 }, bytes(3))]);
  const place = ({ n }: Frame['header']): undefined => void order.push(`place ${String(n)}`);
  for await (const { header } of readFrames(inChunks(sent, sent.length), { place }))
    order.push(`taken ${String(header['n'])}`);
  t.strictSame(order, ['place 1', 'taken 1', 'place 2', 'taken 2']);
});

void t.test('frames: a place of another length, rejected', async t => {
  await t.rejects(framesOf(raw('{}', bytes(4)), 100, { place: () => new Uint8Array(3) }), /place of 3 bytes for 4/);
});

const hostile: [title: string, bytes: Uint8Array, message: RegExp][] = [
  [
    'a header longer than the limit',
    raw('{}', bytes(0), { header: 0xffff_ffff }),
    /header of 4294967295 bytes is over the limit of 65536/,
  ],
  [
    'data longer than the limit',
    raw('{}', bytes(0), { data: 0xffff_ffff }),
    /data of 4294967295 bytes is over the limit of 4194304/,
  ],
  ['text instead of frames', Buffer.from('[sanei_debug] init\n'), /header of \d+ bytes is over the limit/],
  ['no header', raw(''), /not JSON/],
  ['broken JSON', raw('{"id":'), /not JSON/],
  ['bytes that are not UTF-8', raw(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), /not JSON/],
  ['null', raw('null'), /not a JSON object/],
  ['a list', raw('[{}]'), /not a JSON object/],
  ['a number', raw('7'), /not a JSON object/],
];
for (const [title, sent, message] of hostile) {
  void t.test(`refused: ${title}`, async t => {
    for (const size of [1, 4096]) await t.rejects(framesOf(sent, size), message);
  });
}

void t.test('frames: an excessive length, rejected before its data arrives', async t => {
  const lead = raw('', bytes(0), { header: 2, data: frameLimits.dataBytes + 1 });
  await t.rejects(framesOf(lead, 8), /over the limit/);
});

void t.test('frames: other limits, apply to reading and writing', async t => {
  const sent = raw('{}', bytes(20));
  t.equal((await framesOf(sent, 9, { limits: { dataBytes: 20 } })).length, 1);
  await t.rejects(framesOf(sent, 9, { limits: { dataBytes: 19 } }), /data of 20 bytes is over the limit of 19/);
  await t.rejects(framesOf(sent, 9, { limits: { headerBytes: 1 } }), /header of 2 bytes/);
  t.throws(() => encodeFrame({}, bytes(20), { dataBytes: 19 }), /data of 20 bytes/);
  t.throws(() => encodeFrame({ text: 'x'.repeat(70_000) }), /header of \d+ bytes/);
});

void t.test('frames: an end in the middle of a frame, an error; between frames, not', async t => {
  const sent = raw('{"id":1}', bytes(5));
  for (let length = 1; length < sent.length; length++) {
    await t.rejects(framesOf(sent.subarray(0, length), 4), /ended in the middle/, `after ${length} bytes`);
  }
  t.strictSame(await framesOf(new Uint8Array(), 4), []);
});

void t.test('frames: a broken frame, the frames before it are delivered', async t => {
  const seen: unknown[] = [];
  const sent = Buffer.concat([...encodeFrame({ id: 1 }), raw('nonsense')]);
  await t.rejects(async () => {
    for await (const { header } of readFrames(inChunks(sent, sent.length))) seen.push(header['id']);
  }, /not JSON/);
  t.strictSame(seen, [1]);
});
