/** Extracts a rectangle of a page; no pixel is resampled. */
import { rowBytes } from '@platen/core/plugin';
import type { Raster } from './raster.js';

/** In pixels; `right` and `bottom` are one past the last. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function extract({ pixels, width, data }: Raster, { left, top, right, bottom }: Box): Raster {
  const stride = rowBytes(pixels, width);
  const row = rowBytes(pixels, right - left);
  const height = bottom - top;
  const result = new Uint8Array(row * height);
  if (pixels !== 'bw1') {
    const skipped = rowBytes(pixels, left);
    for (let y = 0; y < height; y++) {
      const from = (top + y) * stride + skipped;
      result.set(data.subarray(from, from + row), y * row);
    }
    return { pixels, width: right - left, height, data: result };
  }
  const shift = left & 7;
  const last = 0xff << (row * 8 - (right - left));
  for (let y = 0; y < height; y++) {
    const start = (top + y) * stride;
    const from = start + (left >> 3);
    const end = start + stride;
    for (let i = 0; i < row; i++) {
      const next = from + i + 1 < end ? data[from + i + 1]! : 0;
      result[y * row + i] = (data[from + i]! << shift) | (next >> (8 - shift));
    }
    result[(y + 1) * row - 1]! &= last;
  }
  return { pixels, width: right - left, height, data: result };
}
