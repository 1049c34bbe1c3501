/**
 * How far the lines of a page run from the horizontal or the vertical.
 *
 * The lower rims of the letters of a line lie on its baseline. Seen along the right angle they fall into few rows, along any
 * other they spread: the sum of the squares of what falls into each row has a peak there. Rules and the edges of a sheet do the same.
 */
import type { Mask } from './blobs.js';

export interface Skew {
  /** Clockwise: lines of text fall to the right. */
  readonly degrees: number;
  /** How far the peak stands out of what other angles give; about 1 for a page without lines. */
  readonly evidence: number;
  /** About how many lines, rules and edges agree on it. */
  readonly lines: number;
}

/** Where ink ends, along the lines and across them. */
interface Rims {
  readonly along: Int32Array;
  readonly across: Int32Array;
  /** How far they reach along and across. */
  readonly length: number;
  readonly depth: number;
}

/** Beyond what is straightened, so that a peak outside is not mistaken for one. */
const LOOKED_AT = 12;
/** Degrees; and pixels, wide enough for no peak to fall between two steps. */
const COARSE_STEP = 0.3;
const COARSE_ROW = 3;
const FINE_STEP = 0.05;
/** More points tell nothing more. */
const MOST_POINTS = 25_000;
/** Fewer tell nothing at all. */
const LEAST_POINTS = 200;
/** Places are whole numbers of this part of a pixel; 260,000 pixels fit. */
const ONE_BITS = 13;
const ONE = 1 << ONE_BITS;
/** Spreads points evenly within their pixels: left on the grid, they would fit a page that lies straight better than any other. */
const SCATTER = 5077;

/** Of lines that run from left to right. */
export function rowSkew(ink: Mask): Skew {
  return skewOf(rowRims(ink));
}

/** Of lines that run from top to bottom, or up; the angle is of the page all the same. */
export function columnSkew(ink: Mask): Skew {
  return skewOf(columnRims(ink));
}

function rowRims({ width, height, data }: Mask): Rims {
  let count = 0;
  const last = width * (height - 1);
  for (let i = 0; i < last; i++) count += data[i]! & ~data[i + width]!;
  const every = Math.ceil(count / MOST_POINTS) || 1;
  const along = new Int32Array(Math.floor(count / every));
  const across = new Int32Array(along.length);
  for (let y = 0, i = 0, at = 0, seen = 0; y < height - 1; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (!data[i] || data[i + width] || ++seen % every) continue;
      along[at] = x;
      across[at++] = y;
    }
  }
  return { along, across, length: width, depth: height };
}

/** Counted from the right, so that the angle has the sense that it has for rows. */
function columnRims({ width, height, data }: Mask): Rims {
  let count = 0;
  for (let y = 0, i = 0; y < height; y++, i++) for (let x = 1; x < width; x++, i++) count += data[i]! & ~data[i + 1]!;
  const every = Math.ceil(count / MOST_POINTS) || 1;
  const along = new Int32Array(Math.floor(count / every));
  const across = new Int32Array(along.length);
  for (let y = 0, i = 0, at = 0, seen = 0; y < height; y++, i++) {
    for (let x = 1; x < width; x++, i++) {
      if (!data[i] || data[i + 1] || ++seen % every) continue;
      along[at] = y;
      across[at++] = width - x;
    }
  }
  return { along, across, length: height, depth: width };
}

function skewOf(rims: Rims): Skew {
  if (rims.along.length < LEAST_POINTS) return { degrees: 0, evidence: 0, lines: 0 };
  const coarse = angles(-LOOKED_AT, LOOKED_AT, COARSE_STEP).map(degrees => ({ degrees, score: squares(rims, degrees, COARSE_ROW) }));
  coarse.sort((a, b) => b.score - a.score);
  const first = coarse[0]!;
  const second = coarse.find(each => Math.abs(each.degrees - first.degrees) > 2 * COARSE_STEP) ?? first;
  const fine = [first, second].flatMap(({ degrees }) => angles(degrees - COARSE_STEP, degrees + COARSE_STEP, FINE_STEP));
  const best = highest(rims, fine);
  const degrees = centre(rims, best.degrees);
  const elsewhere = angles(-LOOKED_AT, LOOKED_AT, 1).map(each => squares(rims, each, 1)).sort((a, b) => a - b);
  const typical = elsewhere[elsewhere.length >> 1]!;
  return { degrees, evidence: best.score / typical, lines: linesAt(rims, degrees) };
}

function angles(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function highest(rims: Rims, among: readonly number[]): { degrees: number; score: number } {
  let best = { degrees: 0, score: -1 };
  for (const degrees of among) {
    const score = squares(rims, degrees, 1);
    if (score > best.score) best = { degrees, score };
  }
  return best;
}

/** Of the upper half of the peak. */
function centre(rims: Rims, around: number): number {
  const near = angles(around - 4 * FINE_STEP, around + 4 * FINE_STEP, FINE_STEP / 2).map(degrees => ({ degrees, score: squares(rims, degrees, 1) }));
  const scores = near.map(({ score }) => score);
  const half = (Math.min(...scores) + Math.max(...scores)) / 2;
  let [sum, weighed] = [0, 0];
  for (const { degrees, score } of near) {
    const above = Math.max(0, score - half);
    sum += above;
    weighed += above * degrees;
  }
  return sum === 0 ? around : weighed / sum;
}

/** How many rows the peak is made of: a single long edge is one, however long. */
function linesAt(rims: Rims, degrees: number): number {
  let [second, fourth] = [0, 0];
  for (const count of rowsAt(rims, degrees, 1)) {
    second += count ** 2;
    fourth += count ** 4;
  }
  return second ** 2 / fourth;
}

function squares(rims: Rims, degrees: number, rowHeight: number): number {
  let sum = 0;
  const rows = rowsAt(rims, degrees, rowHeight);
  for (let i = 0; i < rows.length; i++) sum += rows[i]! * rows[i]!;
  return sum;
}

/**
 * How much falls into each row of the page when it is seen along the angle; a point that lies between two rows counts for both,
 * so that the steps of its grid do not show.
 */
function rowsAt({ along, across, length, depth }: Rims, degrees: number, rowHeight: number): Int32Array {
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.round((Math.cos(angle) * ONE) / rowHeight);
  const sin = Math.round((Math.sin(angle) * ONE) / rowHeight);
  const margin = Math.ceil((Math.abs(Math.sin(angle)) * length) / rowHeight) + 1;
  const rows = new Int32Array(Math.ceil(depth / rowHeight) + 2 * margin + 2);
  for (let i = 0; i < along.length; i++) {
    const at = margin * ONE + across[i]! * cos - along[i]! * sin + ((i * SCATTER) & (ONE - 1));
    const row = at >> ONE_BITS;
    const share = at & (ONE - 1);
    rows[row]! += ONE - share;
    rows[row + 1]! += share;
  }
  return rows;
}
