/** A collected scan as one JSON answer, written piece by piece; no image ever becomes part of a larger string. */
import type { Writable } from 'node:stream';
import { messageOf, type KeptBytes } from '@platen/core';
import { scanStatusOf } from '../http/errors.js';
import type { Collected } from './collect.js';

/** Multiples of three, so that pieces of base64 join without padding. */
const STEP_BYTES = 3 * 4 * 1024;
const SLICE_BYTES = 16 * STEP_BYTES;

/** Text stands as it is; kept bytes become base64. */
export type Piece = string | KeptBytes;

/** The interface's Scan result. */
export function scanResult({ images, code, cause, notes }: Collected, elapsedMs: number): Piece[] {
  const error = cause === undefined ? undefined : messageOf(cause);
  const head = {
    success: code === undefined,
    status: scanStatusOf(code),
    message: [error ?? scanned(images.length), ...notes].join(' '),
    ...(error === undefined ? {} : { error }),
    imageCount: images.length,
    elapsedMs: Math.round(elapsedMs),
  };
  const pieces: Piece[] = [`${JSON.stringify(head).slice(0, -1)},"images":[`];
  images.forEach(({ facts, bytes }, at) => {
    pieces.push(`${at ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"base64Data":"`, bytes, '"}');
  });
  pieces.push(']}');
  return pieces;
}

function scanned(count: number): string {
  return `Scanned ${count} ${count === 1 ? 'page' : 'pages'}.`;
}

/** In bytes. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : base64Length(piece.size)), 0);
}

/**
 * Writes an answer and ends it. Two buffers take turns, so that an answer of any size costs no more memory, and makes
 * no garbage: hundreds of megabytes of it would keep the collector busier than the encryption.
 * @throws where a page cannot be read back, or the client is gone
 */
export async function writePieces(client: Writable, pieces: readonly Piece[]): Promise<void> {
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(base64Length(SLICE_BYTES)));
  const gone = new Promise<never>((_, reject) => client.once('close', () => reject(new Error('The client hung up.'))));
  gone.catch(() => undefined);
  let before = Promise.resolve();
  /** Comes back when the write before this one is over: its buffer may be filled again. */
  const write = async (chunk: Buffer | string): Promise<void> => {
    const written = new Promise<void>((resolve, reject) => client.write(chunk, error => (error ? reject(error) : resolve())));
    const last = before;
    before = Promise.race([written, gone]);
    before.catch(() => undefined);
    await last;
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') await write(piece);
    else for await (const slice of piece.read(SLICE_BYTES)) {
      const [buffer = Buffer.alloc(0)] = buffers.reverse();
      await write(base64Into(buffer, slice));
    }
  }
  await before;
  client.end();
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** In steps whose text is small enough for V8 to forget cheaply. */
function base64Into(to: Buffer, { buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  const from = Buffer.from(buffer, byteOffset, byteLength);
  let length = 0;
  for (let at = 0; at < from.length; at += STEP_BYTES) length += to.write(from.toString('base64', at, Math.min(at + STEP_BYTES, from.length)), length, 'latin1');
  return to.subarray(0, length);
}
