/** A thinned page as brightness, with square pixels. */
import { rowBytes } from '@platen/core/plugin';
import type { ThinnedPage } from './thinnedPage.js';

export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** A byte a pixel, 0 is black. */
  readonly data: Uint8Array;
}

/**
 * A pixel is the mean of `step` neighbours in a row. In colour, the brightest of the three channels: ink of patch codes
 * is black, and coloured paper is as bright as white paper in one channel at least.
 */
export function greyOf({ pixels, width: wide, height, dpi, step, data }: ThinnedPage): GreyImage {
  const width = Math.floor(wide / step);
  const grey = new Uint8Array(width * height);
  const row = rowBytes(pixels, wide);
  const fill = { rgb24: fillFromColor, gray8: fillFromGrey, bw1: fillFromBits }[pixels];
  for (let y = 0; y < height; y++)
    fill(data.subarray(y * row, (y + 1) * row), step, grey.subarray(y * width, (y + 1) * width));
  return { width, height, dpi: dpi / step, data: grey };
}

function fillFromColor(row: Uint8Array, step: number, grey: Uint8Array): void {
  for (let x = 0, at = 0; x < grey.length; x++) {
    let sum = 0;
    for (let each = 0; each < step; each++, at += 3) sum += Math.max(row[at]!, row[at + 1]!, row[at + 2]!);
    grey[x] = sum / step;
  }
}

function fillFromGrey(row: Uint8Array, step: number, grey: Uint8Array): void {
  for (let x = 0, at = 0; x < grey.length; x++) {
    let sum = 0;
    for (let each = 0; each < step; each++) sum += row[at++]!;
    grey[x] = sum / step;
  }
}

function fillFromBits(row: Uint8Array, step: number, grey: Uint8Array): void {
  for (let x = 0, at = 0; x < grey.length; x++) {
    let white = step;
    for (let each = 0; each < step; each++, at++) white -= (row[at >> 3]! >> (7 - (at & 7))) & 1;
    grey[x] = (255 * white) / step;
  }
}
