/** Extracts a rectangle of a page; no pixel is resampled. */
import { pixelsAt, rowBytes, type Area } from '@platen/core/plugin';
import { WHITE, type Raster } from './raster.js';

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

/** Cuts a page to an area, in millimetres; what lies beyond the page is white. */
export function areaCut(page: Raster, dpi: number, area: Area): Raster {
  const width = pixelsAt(dpi, area.width);
  const height = pixelsAt(dpi, area.height);
  const left = Math.round((area.x * dpi) / 25.4);
  const top = Math.round((area.y * dpi) / 25.4);
  const right = Math.min(page.width, left + width);
  const bottom = Math.min(page.height, top + height);
  const inside = left < right && top < bottom ? extract(page, { left, top, right, bottom }) : undefined;
  if (inside?.width === width && inside.height === height) return inside;
  return enlarged(inside, { pixels: page.pixels, width, height });
}

/** The page in the top left corner of a white one. */
function enlarged(page: Raster | undefined, { pixels, width, height }: Omit<Raster, 'data'>): Raster {
  const row = rowBytes(pixels, width);
  const data = new Uint8Array(row * height).fill(pixels === 'bw1' ? 0 : WHITE);
  const from = page ? rowBytes(pixels, page.width) : 0;
  for (let y = 0; y < (page?.height ?? 0); y++) data.set(page!.data.subarray(y * from, (y + 1) * from), y * row);
  return { pixels, width, height, data };
}
