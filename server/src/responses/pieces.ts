/** Text and pages, written piece by piece at the client's pace; no page ever becomes part of a larger string. */
import type { Writable } from 'node:stream';
import type { Clock, KeptBytes } from '@platen/core';
import { watchStall } from './stall.js';

/** Multiples of three, so that pieces of base64 join without padding. */
const STEP_BYTES = 3 * 4 * 1024;
export const SLICE_BYTES = 16 * STEP_BYTES;

/** Text stands as it is; kept bytes become base64. */
export type Piece = string | KeptBytes;

/** In bytes. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : base64Length(piece.size)),
    0,
  );
}

/**
 * Resolves when the client's connection has taken everything. Two buffers take turns, so that pages of any size cost no
 * more memory, and make no garbage: hundreds of megabytes of it would keep the collector busier than the encryption.
 * @param stallMs a client that takes no byte for so long is destroyed
 * @throws where a page cannot be read back, or the client is gone
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
  const gone = new Promise<never>((_, reject) => (hangUp = () => reject(new Error('The client hung up.'))));
  gone.catch(() => undefined);
  client.once('close', hangUp);
  if (client.destroyed) hangUp();
  let taken = 0;
  const endWatch = watchStall(client, clock, stallMs, () => taken);
  let before = Promise.resolve();
  /** Comes back when the write before this one is over: its buffer may be filled again. */
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

/** In steps whose text is small enough for V8 to forget cheaply. */
function base64Into(to: Buffer, { buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const from = Buffer.from(buffer, byteOffset, byteLength);
  let length = 0;
  for (let at = 0; at < from.length; at += STEP_BYTES)
    length += to.write(from.toString('base64', at, Math.min(at + STEP_BYTES, from.length)), length, 'latin1');
  return to.subarray(0, length);
}
