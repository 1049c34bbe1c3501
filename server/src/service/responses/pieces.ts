/** Writes text and pages piece by piece at the client's pace; no page becomes part of a larger string. */
import type { Writable } from 'node:stream';
import type { Clock, KeptBytes } from '@platen/core';
import { watchStall } from './stall.js';

/** Multiples of three bytes, so that pieces of base64 join without padding. */
const STEP_BYTES = 3 * 4 * 1024;
/** About half a megabyte: of larger slices the connection takes as long, with smaller ones each byte costs more. */
export const SLICE_BYTES = 42 * STEP_BYTES;

/** Bytes that are sent unchanged. */
export interface Plain {
  readonly plain: KeptBytes;
}

/** Text and bytes are sent unchanged; kept bytes become base64, unless they are plain. */
export type Piece = string | Uint8Array | KeptBytes | Plain;
type Kept = Exclude<Piece, string | Uint8Array>;

const isKept = (piece: Piece): piece is Kept => typeof piece !== 'string' && !(piece instanceof Uint8Array);
const isPlain = (piece: Kept): piece is Plain => 'plain' in piece;

/** The length in bytes. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + lengthOfOne(piece), 0);
}

function lengthOfOne(piece: Piece): number {
  if (!isKept(piece)) return Buffer.byteLength(piece);
  return isPlain(piece) ? piece.plain.size : base64Length(piece.size);
}

/**
 * Resolves when the client's connection has taken everything. Two buffers alternate, so that pages of any size need the
 * same memory and make no garbage: collecting hundreds of megabytes would cost more than the encryption.
 * @param stallMs the connection of a client that reads nothing for this long is destroyed
 * @throws if a page cannot be read back, or the client is gone
 */
export async function writePieces(
  client: Writable,
  pieces: readonly Piece[],
  clock: Clock,
  stallMs: number,
): Promise<void> {
  const largest = Math.max(0, ...pieces.map(piece => (isKept(piece) && !isPlain(piece) ? piece.size : 0)));
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(base64Length(Math.min(SLICE_BYTES, largest))));
  let hangUp = (): void => undefined;
  const gone = new Promise<never>((_, reject) => (hangUp = () => reject(new Error('The client disconnected.'))));
  gone.catch(() => undefined);
  client.once('close', hangUp);
  if (client.destroyed) hangUp();
  let taken = 0;
  const endWatch = watchStall(client, clock, stallMs, () => taken);
  let before = Promise.resolve();
  /** Returns when the previous write is over: its buffer may be reused. */
  const write = async (chunk: Uint8Array | string): Promise<void> => {
    const written = new Promise<void>((resolve, reject) =>
      client.write(chunk, error => (error ? reject(error) : (taken++, resolve()))),
    );
    const last = before;
    before = Promise.race([written, gone]);
    before.catch(() => undefined);
    await last;
  };
  try {
    for (const piece of pieces) {
      if (!isKept(piece)) await write(piece);
      else if (isPlain(piece))
        for await (const slice of whole(piece.plain)) {
          await write(Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength));
          // The next request overwrites the slice.
          await before;
        }
      else
        for await (const slice of whole(piece)) {
          const [buffer = Buffer.alloc(0)] = buffers.reverse();
          await write(base64Into(buffer, slice));
        }
    }
    await before;
  } finally {
    endWatch();
    client.removeListener('close', hangUp);
  }
}

/** @throws if there are fewer bytes than the size, which the head has announced */
async function* whole(bytes: KeptBytes): AsyncGenerator<Uint8Array> {
  let left = bytes.size;
  for await (const slice of bytes.read(SLICE_BYTES)) {
    left -= slice.byteLength;
    yield slice;
  }
  if (left > 0) throw new Error(`${left} of ${bytes.size} bytes of a page are missing`);
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Encodes in steps whose text is small enough for V8 to collect cheaply. */
function base64Into(to: Buffer, { buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const from = Buffer.from(buffer, byteOffset, byteLength);
  let length = 0;
  for (let at = 0; at < from.length; at += STEP_BYTES)
    length += to.write(from.toString('base64', at, Math.min(at + STEP_BYTES, from.length)), length, 'latin1');
  return to.subarray(0, length);
}
