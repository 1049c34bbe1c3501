/** A BMP file's pixels, as this plugin writes them: uncompressed in 24 bits, grey in 8, black and white in 1. */
import { rowBytes, type DecodedImage, type Pixels } from '@platen/core/plugin';
import { setImmediate } from 'node:timers/promises';
import { bmpHeader, rowStride } from './header.js';
import { swapped } from './swapped.js';

/** Bytes that one turn of the event loop copies. */
const PIECE = 1024 * 1024;

const byDepth: Readonly<Record<number, Pixels>> = { 24: 'rgb24', 8: 'gray8', 1: 'bw1' };

/** @throws TypeError for a file that is not such a BMP, or not all of one */
export async function decodeBmp(bytes: Uint8Array, signal: AbortSignal): Promise<DecodedImage> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { width, height, pixels, start } = headerOf(file);
  const [stride, row] = [rowStride({ pixels, width }), rowBytes(pixels, width)];
  if (file.length < start + stride * height) throw new TypeError('the BMP ends before its last row');
  const data = Buffer.allocUnsafeSlow(row * height);
  const step = Math.max(1, Math.floor(PIECE / row));
  for (let first = 0; first < height; first += step) {
    const piece = data.subarray(first * row, Math.min(height, first + step) * row);
    for (let y = 0; y * row < piece.length; y++) {
      const from = start + (height - 1 - first - y) * stride;
      file.copy(piece, y * row, from, from + row);
    }
    if (pixels === 'rgb24')
      piece.set((await swapped({ pixels, width, height: piece.length / row, stride: row, data: piece })).data);
    else await setImmediate();
    signal.throwIfAborted();
  }
  return { width, height, pixels, stride: row, data };
}

function headerOf(file: Buffer): { width: number; height: number; pixels: Pixels; start: number } {
  if (file.length < 54 || file.toString('latin1', 0, 2) !== 'BM') throw new TypeError('not a BMP');
  const [start, width, height] = [file.readUInt32LE(10), file.readInt32LE(18), file.readInt32LE(22)];
  const pixels = byDepth[file.readUInt16LE(28)];
  if (pixels === undefined || width <= 0 || height <= 0 || file.readUInt32LE(30) !== 0)
    throw new TypeError('a BMP that is compressed, has its first row first, or has another depth than 24, 8 or 1');
  // Ours differ in their size and resolution only, which are before the palette.
  const palette = bmpHeader({ pixels, width: 1, height: 1, dpi: 1 }).subarray(54);
  if (start !== 54 + palette.length || !file.subarray(54, start).equals(palette))
    throw new TypeError('a BMP with a palette of other colours');
  return { width, height, pixels, start };
}
