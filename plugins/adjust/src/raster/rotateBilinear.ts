/** Rotation by a few degrees, with bilinear interpolation. */
import { channelsOf, type Raster } from './raster.js';

/** Pixels to add at each side. */
export interface Padding {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Coordinates are fixed-point numbers with this many fractional bits. */
const ONE_BITS = 15;
const ONE = 1 << ONE_BITS;
/** The longest side whose coordinates fit into 32 bits. */
export const LONGEST_SIDE = 60_000;

/**
 * @param page bytes a channel
 * @param degrees the clockwise skew to remove; less than 45 either way
 * @param fill a value a channel, for what lies outside the page
 */
export function rotateBilinear(page: Raster, degrees: number, fill: readonly number[], padding: Padding): Raster {
  const channels = channelsOf(page);
  const width = page.width + padding.left + padding.right;
  const height = page.height + padding.top + padding.bottom;
  const data = filled(width * height * channels, fill);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180) * ONE, Math.sin((degrees * Math.PI) / 180) * ONE];
  const [right, down] = [Math.round(cos), Math.round(sin)];
  const middle = [(page.width - 1) / 2, (page.height - 1) / 2] as const;
  for (let y = 0; y < height; y++) {
    const [dx, dy] = [-padding.left - middle[0], y - padding.top - middle[1]];
    const x0 = Math.round(middle[0] * ONE + dx * cos - dy * sin);
    const y0 = Math.round(middle[1] * ONE + dx * sin + dy * cos);
    const columns = within([0, width - 1], x0, right, -ONE + 1, page.width * ONE - 1);
    const touched = within(columns, y0, down, -ONE + 1, page.height * ONE - 1);
    const inner = within(touched, x0, right, 0, (page.width - 1) * ONE - 1);
    const whole = within(inner, y0, down, 0, (page.height - 1) * ONE - 1);
    const row: Row = { page, channels, data, at: y * width * channels, x0, y0, right, down };
    if (whole[0] > whole[1]) edge(row, touched[0], touched[1], fill);
    else {
      edge(row, touched[0], whole[0] - 1, fill);
      if (channels === 3) colourRow(row, whole[0], whole[1]);
      else greyRow(row, whole[0], whole[1]);
      edge(row, whole[1] + 1, touched[1], fill);
    }
  }
  return { pixels: page.pixels, width, height, data };
}

/** One row of the result: where it begins, the point of the page there, and the step on the page per pixel. */
interface Row {
  readonly page: Raster;
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
  readonly at: number;
  readonly x0: number;
  readonly y0: number;
  readonly right: number;
  readonly down: number;
}

function filled(length: number, fill: readonly number[]): Uint8Array {
  const data = new Uint8Array(length);
  if (fill.every(value => value === fill[0])) return data.fill(fill[0]!);
  data.set(fill);
  for (let done = fill.length; done < length; done *= 2) data.copyWithin(done, 0, Math.min(done, length - done));
  return data;
}

type Range = readonly [first: number, last: number];

/** The part of a range of `n` in which `from + step * n` stays between two bounds. */
function within([first, last]: Range, from: number, step: number, low: number, high: number): Range {
  if (step === 0) return from >= low && from <= high ? [first, last] : [first, first - 1];
  const [a, b] = [(low - from) / step, (high - from) / step];
  return [Math.max(first, Math.ceil(Math.min(a, b))), Math.min(last, Math.floor(Math.max(a, b)))];
}

function greyRow({ page, data, at, x0, y0, right, down }: Row, first: number, last: number): void {
  const { width, data: from } = page;
  let x = x0 + first * right;
  let y = y0 + first * down;
  for (let to = at + first, end = at + last; to <= end; to++, x += right, y += down) {
    const i = (y >> ONE_BITS) * width + (x >> ONE_BITS);
    const fx = (x >> (ONE_BITS - 8)) & 255;
    const fy = (y >> (ONE_BITS - 8)) & 255;
    const upper = (from[i]! << 8) + (from[i + 1]! - from[i]!) * fx;
    const lower = (from[i + width]! << 8) + (from[i + width + 1]! - from[i + width]!) * fx;
    data[to] = ((upper << 8) + (lower - upper) * fy + 32768) >> 16;
  }
}

function colourRow({ page, data, at, x0, y0, right, down }: Row, first: number, last: number): void {
  const { width, data: from } = page;
  const below = 3 * width;
  let x = x0 + first * right;
  let y = y0 + first * down;
  for (let to = at + 3 * first, end = at + 3 * last; to <= end; to += 3, x += right, y += down) {
    const start = 3 * ((y >> ONE_BITS) * width + (x >> ONE_BITS));
    const fx = (x >> (ONE_BITS - 8)) & 255;
    const fy = (y >> (ONE_BITS - 8)) & 255;
    for (let c = 0; c < 3; c++) {
      const i = start + c;
      const upper = (from[i]! << 8) + (from[i + 3]! - from[i]!) * fx;
      const lower = (from[i + below]! << 8) + (from[i + below + 3]! - from[i + below]!) * fx;
      data[to + c] = ((upper << 8) + (lower - upper) * fy + 32768) >> 16;
    }
  }
}

/** Pixels on the page's edge, where neighbours outside count as fill. */
function edge(row: Row, first: number, last: number, fill: readonly number[]): void {
  const { page, channels, data, at, x0, y0, right, down } = row;
  const pixel = (x: number, y: number, c: number): number => {
    const outside = x < 0 || y < 0 || x >= page.width || y >= page.height;
    return outside ? fill[c]! : page.data[(y * page.width + x) * channels + c]!;
  };
  for (let n = first; n <= last; n++) {
    const [x, y] = [x0 + n * right, y0 + n * down];
    const [ix, iy] = [x >> ONE_BITS, y >> ONE_BITS];
    const [fx, fy] = [(x & (ONE - 1)) / ONE, (y & (ONE - 1)) / ONE];
    for (let c = 0; c < channels; c++) {
      const upper = pixel(ix, iy, c) * (1 - fx) + pixel(ix + 1, iy, c) * fx;
      const lower = pixel(ix, iy + 1, c) * (1 - fx) + pixel(ix + 1, iy + 1, c) * fx;
      data[at + n * channels + c] = Math.round(upper * (1 - fy) + lower * fy);
    }
  }
}
