/** Cells of about a third of a millimetre: the mean and the darkest of their samples. */
import type { Plane } from './plane.js';

export interface Cells {
  readonly width: number;
  readonly height: number;
  /** Cells a millimetre. */
  readonly perMm: number;
  /** Samples along the side of a cell. */
  readonly side: number;
  readonly mean: Uint8Array;
  readonly darkest: Uint8Array;
}

/** Cells are about so many to a millimetre. */
const PER_MM = 3.3;

/** The last samples of a row or column, fewer than a cell, are left out; a page smaller than a cell is one. */
export function cellsOf(samples: Plane): Cells {
  const side = Math.max(1, Math.min(Math.round(samples.perMm / PER_MM), samples.width, samples.height));
  const width = Math.floor(samples.width / side);
  const height = Math.floor(samples.height / side);
  const perMm = samples.perMm / side;
  if (side === 1) return { width, height, perMm, side, mean: samples.data, darkest: samples.data };
  const mean = new Uint8Array(width * height);
  const darkest = new Uint8Array(width * height);
  if (side === 2) pairs(samples, { width, height, mean, darkest });
  else squares(samples, { width, height, side, mean, darkest });
  return { width, height, perMm, side, mean, darkest };
}

/** The usual size, at 300 dpi and 200: four samples at once. */
function pairs(
  { width: wide, data: from }: Plane,
  { width, height, mean, darkest }: Omit<Cells, 'perMm' | 'side'>,
): void {
  for (let y = 0, at = 0; y < height; y++) {
    let i = 2 * y * wide;
    for (const end = at + width; at < end; at++, i += 2) {
      const a = from[i]!;
      const b = from[i + 1]!;
      const c = from[i + wide]!;
      const d = from[i + wide + 1]!;
      mean[at] = (a + b + c + d + 2) >> 2;
      const upper = a < b ? a : b;
      const lower = c < d ? c : d;
      darkest[at] = upper < lower ? upper : lower;
    }
  }
}

function squares(samples: Plane, { width, height, side, mean, darkest }: Omit<Cells, 'perMm'>): void {
  const from = samples.data;
  const count = side * side;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      let sum = 0;
      let least = 255;
      for (let row = 0, i = y * side * samples.width + x * side; row < side; row++, i += samples.width) {
        for (let column = 0; column < side; column++) {
          const value = from[i + column]!;
          sum += value;
          if (value < least) least = value;
        }
      }
      mean[at] = (sum + (count >> 1)) / count;
      darkest[at] = least;
    }
  }
}
