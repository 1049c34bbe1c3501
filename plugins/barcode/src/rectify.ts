/** Rectification: a rotated region of an image becomes an upright, enlarged image with its own black and white. */
import { sizeOf, type Region } from './geometry.js';
import { applyTable, otsuThreshold, stretchTable } from './thresholding.js';

export interface GreyImage {
  /** Rows without padding. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The grey level beyond the image's edges. */
const PAPER = 255;

/** @returns rows without padding, in the size of `sizeOf(region)`, by bilinear interpolation */
export function rectified(from: GreyImage, region: Region): Uint8Array {
  const { width, height } = sizeOf(region);
  const to = new Uint8Array(width * height);
  const { angle, scale, centre } = region;
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  const [maxX, maxY] = [from.width - 2, from.height - 2];
  for (let y = 0; y < height; y++) {
    // From the centre of the region's pixel to that of the image's: half a pixel each.
    const [along, across] = [0.5 - width / 2, y + 0.5 - height / 2];
    let px = centre[0] + along * cos - across * sin - 0.5;
    let py = centre[1] + along * sin + across * cos - 0.5;
    const [endX, endY] = [px + (width - 1) * cos, py + (width - 1) * sin];
    const inside =
      Math.min(px, endX) > 0 && Math.min(py, endY) > 0 && Math.max(px, endX) < maxX && Math.max(py, endY) < maxY;
    for (let x = 0, at = y * width; x < width; x++, at++, px += cos, py += sin) {
      to[at] = inside || isWithin(from, px, py) ? interpolated(from.bytes, from.width, px, py) : PAPER;
    }
  }
  return to;
}

function isWithin({ width, height }: GreyImage, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < width - 1 && y < height - 1;
}

function interpolated(bytes: Uint8Array, width: number, x: number, y: number): number {
  const left = x | 0;
  const top = y | 0;
  const at = top * width + left;
  const fx = x - left;
  const upper = bytes[at]! + (bytes[at + 1]! - bytes[at]!) * fx;
  const lower = bytes[at + width]! + (bytes[at + width + 1]! - bytes[at + width]!) * fx;
  return upper + (lower - upper) * (y - top);
}

/**
 * Averages each `group` of rows into one, which keeps bars and removes noise. Rows left over at the bottom are dropped.
 * @returns the number of rows in `to`
 */
export function averageRows(image: Uint8Array, width: number, height: number, group: number, to: Uint8Array): number {
  if (group === 1 || height < group) {
    to.set(image);
    return height;
  }
  const averaged = Math.floor(height / group);
  const sums = new Uint16Array(width);
  for (let row = 0; row < averaged; row++) {
    sums.fill(0);
    for (let i = 0, at = row * group * width; i < group; i++)
      for (let x = 0; x < width; x++, at++) sums[x]! += image[at]!;
    for (let x = 0; x < width; x++) to[row * width + x] = sums[x]! / group;
  }
  return averaged;
}

/** Stretches the image around its own threshold instead of the page's. */
export function stretchContrast(image: Uint8Array, invert: boolean): void {
  applyTable(stretchTable(otsuThreshold(image, 1), invert), image);
}
