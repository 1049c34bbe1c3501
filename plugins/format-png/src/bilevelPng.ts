/**
 * A `bw1` page as a PNG of one bit per pixel, colour type 0 (greyscale).
 *
 * Image libraries write such pages with a palette, after unpacking every bit into a byte. Here the packed rows go
 * directly into zlib, piece by piece, which works in its own threads. Chunks as in the PNG specification (third
 * edition), sections 5 and 11.
 */
import { rowBytes, type RawPage } from '@platen/core/plugin';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate } from 'node:zlib';

/** Bytes that one turn of the event loop processes: a fraction of a millisecond. */
const PIECE = 256 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INCH = 0.0254;

export async function encodeBilevelPng(page: RawPage, level: number, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [SIGNATURE, chunk('IHDR', header(page)), chunk('pHYs', resolution(page.dpi))];
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
  parts.push(chunk('IEND', Buffer.alloc(0)));
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

/** Bit depth 1, colour type 0, deflate, filter method 0, not interlaced. */
function header({ width, height }: RawPage): Buffer {
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  return bytes;
}

function resolution(dpi: number): Buffer {
  const perMetre = Math.round(dpi / INCH);
  const bytes = Buffer.alloc(9, 1);
  bytes.writeUInt32BE(perMetre, 0);
  bytes.writeUInt32BE(perMetre, 4);
  return bytes;
}

function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(body, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, body.length + 8)), body.length + 8);
  return bytes;
}
