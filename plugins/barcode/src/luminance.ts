/** A page's pixels as 8-bit luminance, at its own resolution or at a fraction of it. */
import type { RawPage } from '@platen/core/plugin';

export type Pixels = Pick<RawPage, 'pixels' | 'width' | 'height' | 'stride' | 'data'>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param shrink 1, 2 or 4: the side of the square that becomes one pixel; partial squares are dropped */
export function shrunkSize({ width, height }: Size, shrink: number): Size {
  return { width: Math.max(1, Math.floor(width / shrink)), height: Math.max(1, Math.floor(height / shrink)) };
}

/**
 * Weights of ITU-R BT.601, in 256ths.
 * @param to is filled: rows without padding, in the size of `shrunkSize`
 */
export function luminance(page: Pixels, shrink: number, to: Uint8Array): void {
  if (shrink === 1) whole(page, to);
  else averaged(page, shrink, to);
}

function whole({ pixels, width, height, stride, data }: Pixels, to: Uint8Array): void {
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * stride, y * stride + stride);
    if (pixels === 'gray8') to.set(row.subarray(0, width), y * width);
    else if (pixels === 'rgb24') rowOfColour(row, width, to, y * width);
    else rowOfBits(row, width, to, y * width);
  }
}

function rowOfColour(row: Uint8Array, width: number, to: Uint8Array, at: number): void {
  for (let x = 0, i = 0; x < width; x++, i += 3)
    to[at + x] = (77 * row[i]! + 150 * row[i + 1]! + 29 * row[i + 2]! + 128) >> 8;
}

/** The eight pixels of each byte of a 1-bit row. */
const unpacked = Uint8Array.from({ length: 256 * 8 }, (_, i) => ((i >> 3) & (0x80 >> (i & 7)) ? 0 : 255));

function rowOfBits(row: Uint8Array, width: number, to: Uint8Array, at: number): void {
  const full = width >> 3;
  for (let i = 0; i < full; i++) {
    const from = row[i]! << 3;
    const into = at + (i << 3);
    for (let bit = 0; bit < 8; bit++) to[into + bit] = unpacked[from + bit]!;
  }
  for (let x = full << 3; x < width; x++) to[at + x] = unpacked[(row[full]! << 3) + (x & 7)]!;
}

/** Averages squares instead of sampling them: bars that are thinner than a square still darken it. */
function averaged(page: Pixels, shrink: number, to: Uint8Array): void {
  const { width, height } = shrunkSize(page, shrink);
  const { stride, data } = page;
  const used = Math.min(page.width, width * shrink);
  const rows = Math.min(page.height, shrink);
  const line = new Uint8Array(page.width);
  const sums = new Uint16Array(width);
  const count = rows * Math.min(page.width, shrink);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let i = 0; i < rows; i++) {
      const from = (y * shrink + i) * stride;
      whole({ ...page, height: 1, data: data.subarray(from, from + stride) }, line);
      for (let x = 0; x < used; x++) sums[(x / shrink) | 0]! += line[x]!;
    }
    for (let x = 0; x < width; x++) to[y * width + x] = (sums[x]! / count) | 0;
  }
}
