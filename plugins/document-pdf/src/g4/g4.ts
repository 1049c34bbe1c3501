/**
 * 1-bit pixels as CCITT Group 4 (ITU-T T.6), in one piece.
 *
 * libtiff, behind image libraries, begins anew every 256 rows, and a PDF has one stream an image. An A4 page of text at
 * 300 dpi takes some 20 ms: not for the event loop.
 */
import { createBitWriter } from './bitWriter.js';
import { BEHIND, createRowEncoder } from './g4Row.js';

export interface Bits {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Bytes from the start of one row to the start of the next. */
  readonly stride: number;
  /** Most significant bit first, 1 is black. */
  readonly data: Uint8Array;
}

/** Changing elements beside one for each pixel: padding of up to 32 bits, and what is looked at behind the last one. */
const SPARE = 36;
/** Half of the end of the block (T.6, 2.4.1.1). */
const END_OF_LINE = 0b000000000001;
const END_OF_LINE_BITS = 12;

export function encodeG4(page: Bits): Uint8Array {
  const { width, height } = page;
  const out = createBitWriter(page.stride * 64 + 1024);
  const encodeRow = createRowEncoder(width, out);
  let above = new Uint32Array(width + SPARE).fill(width, 0, BEHIND);
  let row = new Uint32Array(width + SPARE);
  for (let y = 0; y < height; y++) {
    changesOf(page, y, row);
    encodeRow(row, above);
    [above, row] = [row, above];
  }
  out.put(END_OF_LINE, END_OF_LINE_BITS);
  out.put(END_OF_LINE, END_OF_LINE_BITS);
  return out.end();
}

/**
 * Where the row's colour changes, from left to right, beginning with the first black pixel: those at even places turn
 * black. The width stands behind them.
 */
function changesOf({ width, stride, data }: Bits, y: number, changes: Uint32Array): void {
  const bytes = Math.ceil(width / 8);
  const start = y * stride;
  let [count, last] = [0, 0];
  for (let at = 0; at < bytes; at += 4) {
    const from = start + at;
    const left = bytes - at;
    const word =
      (data[from]! << 24) |
      (left > 1 ? data[from + 1]! << 16 : 0) |
      (left > 2 ? data[from + 2]! << 8 : 0) |
      (left > 3 ? data[from + 3]! : 0);
    // A bit for each pixel that differs from its left neighbour.
    let differing = word ^ ((word >>> 1) | (last << 31));
    last = word & 1;
    while (differing !== 0) {
      const place = Math.clz32(differing);
      changes[count++] = at * 8 + place;
      differing &= ~(0x80000000 >>> place);
    }
  }
  // What padding bits do behind the last pixel.
  while (count > 0 && changes[count - 1]! >= width) count--;
  changes.fill(width, count, count + BEHIND);
}
