/** A collected scan as one streamed JSON answer; no image ever becomes part of a larger string. */
import { Readable } from 'node:stream';
import { messageOf, type KeptBytes } from '@platen/core';
import { scanStatusOf } from '../http/errors.js';
import type { Collected } from './collect.js';

/** Bytes that are turned into base64 at a time: a multiple of three, so that the pieces join without padding. */
const SLICE_BYTES = 3 * 256 * 1024;

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

export interface JsonBody {
  /** In bytes. */
  readonly length: number;
  readonly body: Readable;
}

export function jsonBody(pieces: readonly Piece[]): JsonBody {
  const length = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : Math.ceil(piece.size / 3) * 4), 0);
  return { length, body: Readable.from(stream(pieces), { objectMode: false, highWaterMark: 2 * SLICE_BYTES }) };
}

async function* stream(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece);
    else for await (const slice of piece.read(SLICE_BYTES)) yield base64(slice);
  }
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1');
}
