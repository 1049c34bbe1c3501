/** Writes text and pages piece by piece at the client's pace; no page becomes part of a larger string. */
import type { Writable } from 'node:stream';
import type { Clock, KeptBytes } from '@platen/core';
import { watchStall } from './stall.js';

/** Multiples of three bytes, so that pieces of base64 join without padding. */
const STEP_BYTES = 3 * 4 * 1024;
export const SLICE_BYTES = 16 * STEP_BYTES;

/** Text is sent unchanged; kept bytes become base64. */
export type Piece = string | KeptBytes;

/** The length in bytes. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : base64Length(piece.size)),
    0,
  );
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
  const largest = Math.max(0, ...pieces.map(piece => (typeof piece === 'string' ? 0 : piece.size)));
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
  const write = async (chunk: Buffer | string): Promise<void> => {
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
      if (typeof piece === 'string') await write(piece);
      else
        for await (const slice of piece.read(SLICE_BYTES)) {
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

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Encodes in steps whose text is small enough for V8 to collect cheaply. */
function base64Into(to: Buffer, { buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const from = Buffer.from(buffer, byteOffset, byteLength);
  let length = 0;
  for (let at = 0; at < from.length; at += STEP_BYTES)
    length += to.write(from.toString('base64', at, Math.min(at + STEP_BYTES, from.length)), length, 'latin1');
  return to.subarray(0, length);
}
