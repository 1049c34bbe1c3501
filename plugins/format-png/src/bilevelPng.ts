/**
 * A `bw1` page as a PNG of one bit per pixel, colour type 0 (greyscale).
 *
 * Image libraries write such pages with a palette, after unpacking every bit into a byte. Here the packed rows go
 * directly into zlib, piece by piece, which works in its own threads.
 */
import { rowBytes, type RawPage } from '@platen/core/plugin';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { beginOf, chunk, chunkOfEnd } from './chunks.js';

/** Bytes that one turn of the event loop processes: a fraction of a millisecond. */
const PIECE = 256 * 1024;

export async function encodeBilevelPng(page: RawPage, level: number, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [beginOf(page)];
  const rows = Readable.from(filteredRows(page), { highWaterMark: 1 });
  const collect = async (deflated: AsyncIterable<Buffer>) => {
    for await (const part of deflated) parts.push(chunk('IDAT', part));
  };
  try {
    await pipeline(rows, createDeflate({ level, chunkSize: PIECE / 4 }), collect, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  parts.push(chunkOfEnd());
  return Buffer.concat(parts);
}

/** PNG's filtered rows (type 0: none), in pieces. The bits are inverted: in PNG's grey, 1 is white. */
function* filteredRows({ data, width, height, stride }: RawPage): Generator<Buffer> {
  const row = rowBytes('bw1', width);
  const rowsPerPiece = Math.max(1, Math.floor(PIECE / (row + 1)));
  for (let first = 0; first < height; first += rowsPerPiece) {
    const end = Math.min(height, first + rowsPerPiece);
    const piece = Buffer.allocUnsafe((end - first) * (row + 1));
    let to = 0;
    for (let y = first; y < end; y++) {
      piece[to++] = 0;
      for (let from = y * stride, stop = from + row; from < stop; from++) piece[to++] = ~data[from]!;
    }
    yield piece;
  }
}
