/**
 * A JSON answer is written completely at any client's pace, and is broken off when the client is gone or a page fails.
 */
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fakeClock } from '@platen/conformance';
import type { KeptBytes } from '@platen/core';
import t from 'tap';
import { lengthOf, SLICE_BYTES, writePieces } from './pieces.js';

const write = (client: Writable, pieces: Parameters<typeof writePieces>[1]): Promise<void> =>
  writePieces(client, pieces, fakeClock(), 30_000);

/** As the spool does: requesting the next slice overwrites the previous one. */
function kept(bytes: Buffer): KeptBytes {
  return {
    size: bytes.length,
    async *read(sliceBytes) {
      const slice = Buffer.alloc(sliceBytes);
      for (let at = 0; at < bytes.length; at += sliceBytes)
        yield slice.subarray(0, bytes.copy(slice, 0, at, at + sliceBytes));
    },
  };
}

/** Reads each chunk only when it finishes the write, some turns later. */
function slowClient(): { client: Writable; text(): string } {
  const parts: string[] = [];
  const write = async (chunk: Buffer): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    parts.push(chunk.toString('latin1'));
  };
  const client = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk).then(() => done(), done),
  });
  return { client, text: () => parts.join('') };
}

const image = (size: number, seed: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8) + seed) & 0xff));

t.test('pieces: text unchanged and pages as base64, however slowly the client reads', async t => {
  const sizes = [
    0,
    1,
    2,
    3,
    12 * 1024 - 1,
    12 * 1024 + 1,
    SLICE_BYTES - 1,
    SLICE_BYTES,
    SLICE_BYTES + 1,
    3 * SLICE_BYTES + 2,
  ];
  const images = sizes.map(image);
  const { client, text } = slowClient();
  const pieces = images.flatMap(bytes => ['"é', kept(bytes), '",']);
  await write(client, pieces);
  const expected = images.map(bytes => `"é${bytes.toString('base64')}",`).join('');
  t.ok(Buffer.from(text(), 'latin1').equals(Buffer.from(expected)), 'to the byte');
  t.equal(lengthOf(pieces), Buffer.byteLength(expected));
  t.equal(client.listenerCount('close'), 0, 'nothing stays on a connection that lasts');
});

t.test('pieces: bytes unchanged, between text and pages', async t => {
  const bytes = image(1000, 5);
  const { client, text } = slowClient();
  const pieces = ['[', bytes.subarray(3), kept(bytes.subarray(0, 7)), new Uint8Array(bytes.subarray(0, 9)), ']'];
  await write(client, pieces);
  const expected = Buffer.concat([
    Buffer.from('['),
    bytes.subarray(3),
    Buffer.from(bytes.subarray(0, 7).toString('base64')),
    bytes.subarray(0, 9),
    Buffer.from(']'),
  ]);
  t.ok(Buffer.from(text(), 'latin1').equals(expected), 'to the byte');
  t.equal(lengthOf(pieces), expected.length);
});

t.test('pieces: plain pages unchanged, however slowly the client reads', async t => {
  const images = [1, SLICE_BYTES - 1, SLICE_BYTES, SLICE_BYTES + 1, 3 * SLICE_BYTES + 2].map(image);
  const { client, text } = slowClient();
  const pieces = images.flatMap(bytes => ['[', { plain: kept(bytes) }, ']']);
  await write(client, pieces);
  const expected = Buffer.concat(images.flatMap(bytes => [Buffer.from('['), bytes, Buffer.from(']')]));
  t.ok(Buffer.from(text(), 'latin1').equals(expected), 'to the byte');
  t.equal(lengthOf(pieces), expected.length);
});

t.test('pieces: fewer bytes than the size that was announced, the answer is broken off', async t => {
  for (const wrap of [(bytes: KeptBytes) => bytes, (plain: KeptBytes) => ({ plain })]) {
    const { client } = slowClient();
    const short = { ...kept(image(2 * SLICE_BYTES, 1)), size: 2 * SLICE_BYTES + 1 };
    await t.rejects(write(client, ['{', wrap(short), '}']), /1 of \d+ bytes/);
  }
});

t.test('pieces: a page that cannot be read back, the answer is broken off', async t => {
  const { client } = slowClient();
  const broken: KeptBytes = {
    size: 2 * SLICE_BYTES,
    async *read(sliceBytes) {
      yield Buffer.alloc(sliceBytes);
      throw new Error('the disk is gone');
    },
  };
  await t.rejects(write(client, ['{', broken, '}']), { message: 'the disk is gone' });
  t.equal(client.writableEnded, false);
});

t.test('pieces: the client disconnects, reading stops', async t => {
  let open = 0;
  const endless: KeptBytes = {
    size: Infinity,
    async *read(sliceBytes) {
      open++;
      try {
        for (;;) yield Buffer.alloc(sliceBytes);
      } finally {
        open--;
      }
    },
  };
  const client = new Writable({ write: () => void setImmediate().then(() => client.destroy()) });
  await t.rejects(write(client, [endless]));
  t.equal(open, 0);

  const gone = new Writable().destroy();
  await t.rejects(write(gone, ['{', kept(image(10, 0)), '}']));
});
