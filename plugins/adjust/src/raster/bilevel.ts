/**
 * Grey to 1-bit by Sauvola's threshold, which keeps small and pale print readable on any paper.
 *
 * `mean * (1 - k * (1 - deviation / 128))` over a square window around the pixel (Pattern Recognition 33, 2000), by
 * running sums. It turns the inside of large dark areas white, so pixels much darker than the paper are black in any
 * case.
 */
import { rowBytes } from '@platen/core/plugin';
import type { Raster } from './raster.js';

/** Half the side of the window, in inches. */
const RADIUS = 0.06;
/** In pixels: sums of squares stay below 2^31. */
const MOST_RADIUS = 90;
const K = 0.2;
const DEVIATION = 128;
/** A pixel below this share of the paper's brightness is black; bounded for pages on which no paper shows. */
const DARK = 0.35;
const [LEAST_DARK, MOST_DARK] = [48, 110];

export function bilevel({ width, height, data }: Raster, dpi: number): Raster {
  const radius = Math.min(MOST_RADIUS, Math.max(3, Math.round(RADIUS * dpi)));
  const dark = Math.min(MOST_DARK, Math.max(LEAST_DARK, DARK * paperLevel(data)));
  const row = rowBytes('bw1', width);
  const bits = new Uint8Array(row * height);
  const sums = new Int32Array(width);
  const squares = new Int32Array(width);
  const blank = new Uint8Array(width);
  const rowAt = (y: number): Uint8Array => (y < 0 || y >= height ? blank : data.subarray(y * width, (y + 1) * width));
  for (let y = 0; y < radius; y++) slide(sums, squares, rowAt(y), blank);
  for (let y = 0; y < height; y++) {
    slide(sums, squares, rowAt(y + radius), rowAt(y - radius - 1));
    const rows = Math.min(y + radius, height - 1) - Math.max(y - radius, 0) + 1;
    thresholdRow(bits, y * row, data.subarray(y * width, (y + 1) * width), { sums, squares, rows, radius, dark });
  }
  return { pixels: 'bw1', width, height, data: bits };
}

/** Moves the window down by one row. */
function slide(sums: Int32Array, squares: Int32Array, enters: Uint8Array, leaves: Uint8Array): void {
  for (let x = 0; x < sums.length; x++) {
    const [more, less] = [enters[x]!, leaves[x]!];
    const change = more - less;
    sums[x]! += change;
    squares[x]! += change * (more + less);
  }
}

interface Window {
  readonly sums: Int32Array;
  readonly squares: Int32Array;
  readonly rows: number;
  readonly radius: number;
  readonly dark: number;
}

/** @param to where the row's bits begin */
function thresholdRow(bits: Uint8Array, to: number, row: Uint8Array, window: Window): void {
  const { sums, squares, rows, radius, dark } = window;
  const width = row.length;
  let sum = 0;
  let square = 0;
  for (let x = 0; x < Math.min(radius, width); x++) {
    sum += sums[x]!;
    square += squares[x]!;
  }
  let byte = 0;
  for (let x = 0; x < width; x++) {
    const enter = x + radius;
    const leave = x - radius - 1;
    if (enter < width) {
      sum += sums[enter]!;
      square += squares[enter]!;
    }
    if (leave >= 0) {
      sum -= sums[leave]!;
      square -= squares[leave]!;
    }
    const area = rows * ((enter < width ? enter : width - 1) - (leave >= 0 ? leave : -1));
    const value = row[x]!;
    const mean = sum / area;
    // Both sides are squared where they are positive, which saves the square root.
    const above = value - mean * (1 - K);
    const scale = (mean * K) / DEVIATION;
    const black = value < dark || above < 0 || above * above < scale * scale * (square / area - mean * mean);
    if (black) byte |= 0x80 >> (x & 7);
    if ((x & 7) === 7 || x === width - 1) {
      bits[to + (x >> 3)] = byte;
      byte = 0;
    }
  }
}

/** The grey level that one pixel in ten reaches or exceeds, of a sample of 100,000. */
function paperLevel(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  const every = Math.max(1, Math.floor(data.length / 100_000)) | 1;
  let seen = 0;
  for (let i = 0; i < data.length; i += every, seen++) counts[data[i]!]!++;
  let brighter = 0;
  for (let value = 255; value >= 0; value--) {
    brighter += counts[value]!;
    if (brighter * 10 >= seen) return value;
  }
  return 0;
}
