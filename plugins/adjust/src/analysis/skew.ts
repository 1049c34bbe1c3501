/**
 * Skew by projection profiles: the angle between a page's lines and the horizontal or the vertical.
 *
 * The bottom edges of the letters of a line lie on its baseline. Projected along the right angle they fall into few
 * rows, along any other they spread, so the energy of the profile (the sum of its squares) peaks there. Rules and the
 * edges of a sheet do the same.
 */
import type { Mask } from './connectedComponents.js';

export interface Skew {
  /** Clockwise: lines of text fall to the right. */
  readonly degrees: number;
  /** The peak's energy relative to that of other angles; about 1 for a page without lines. */
  readonly evidence: number;
  /** About how many lines, rules and edges agree on it. */
  readonly lines: number;
}

/** Points where ink ends, along the lines and across them. */
interface EdgePoints {
  readonly along: Int32Array;
  readonly across: Int32Array;
  /** The page's size along and across. */
  readonly length: number;
  readonly depth: number;
}

/** Degrees; beyond what is deskewed, so that a peak outside is not mistaken for one. */
const SEARCHED = 12;
/** Degrees; and pixels, high enough that no peak falls between two steps. */
const COARSE_STEP = 0.3;
const COARSE_ROW = 3;
const FINE_STEP = 0.05;
/** More points add nothing. */
const MOST_POINTS = 25_000;
/** Fewer are no evidence. */
const LEAST_POINTS = 200;
/** Coordinates are fixed-point numbers with this many fractional bits; 260,000 pixels fit. */
const ONE_BITS = 13;
const ONE = 1 << ONE_BITS;
/** Spreads points evenly within their pixels: on the grid, they would favour an angle of 0. */
const SCATTER = 5077;

/** Of lines from left to right. */
export function rowSkew(ink: Mask): Skew {
  return skewOf(bottomEdges(ink));
}

/** Of lines from top to bottom or back; the angle is that of the page. */
export function columnSkew(ink: Mask): Skew {
  return skewOf(rightEdges(ink));
}

function bottomEdges({ width, height, data }: Mask): EdgePoints {
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

/** Counted from the right, so that the sign of the angle is that of rows. */
function rightEdges({ width, height, data }: Mask): EdgePoints {
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

function skewOf(points: EdgePoints): Skew {
  if (points.along.length < LEAST_POINTS) return { degrees: 0, evidence: 0, lines: 0 };
  const coarse = angles(-SEARCHED, SEARCHED, COARSE_STEP).map(degrees => ({
    degrees,
    score: profileEnergy(points, degrees, COARSE_ROW),
  }));
  coarse.sort((a, b) => b.score - a.score);
  const first = coarse[0]!;
  const second = coarse.find(each => Math.abs(each.degrees - first.degrees) > 2 * COARSE_STEP) ?? first;
  const fine = [first, second].flatMap(({ degrees }) =>
    angles(degrees - COARSE_STEP, degrees + COARSE_STEP, FINE_STEP),
  );
  const best = bestAngle(points, fine);
  const degrees = peakCentre(points, best.degrees);
  const elsewhere = angles(-SEARCHED, SEARCHED, 1)
    .map(each => profileEnergy(points, each, 1))
    .sort((a, b) => a - b);
  const typical = elsewhere[elsewhere.length >> 1]!;
  return { degrees, evidence: best.score / typical, lines: lineCount(points, degrees) };
}

function angles(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function bestAngle(points: EdgePoints, among: readonly number[]): { degrees: number; score: number } {
  let best = { degrees: 0, score: -1 };
  for (const degrees of among) {
    const score = profileEnergy(points, degrees, 1);
    if (score > best.score) best = { degrees, score };
  }
  return best;
}

/** The centroid of the upper half of the peak. */
function peakCentre(points: EdgePoints, around: number): number {
  const candidates = angles(around - 4 * FINE_STEP, around + 4 * FINE_STEP, FINE_STEP / 2);
  const near = candidates.map(degrees => ({ degrees, score: profileEnergy(points, degrees, 1) }));
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

/** The effective number of rows in the peak: a single long edge is one, however long. */
function lineCount(points: EdgePoints, degrees: number): number {
  let [second, fourth] = [0, 0];
  for (const count of projectionProfile(points, degrees, 1)) {
    second += count ** 2;
    fourth += count ** 4;
  }
  return second ** 2 / fourth;
}

function profileEnergy(points: EdgePoints, degrees: number, rowHeight: number): number {
  let sum = 0;
  const rows = projectionProfile(points, degrees, rowHeight);
  for (let i = 0; i < rows.length; i++) sum += rows[i]! * rows[i]!;
  return sum;
}

/**
 * The points in each row when the page is projected along the angle. A point between two rows counts for both, so that
 * the pixel grid does not show.
 */
function projectionProfile(
  { along, across, length, depth }: EdgePoints,
  degrees: number,
  rowHeight: number,
): Int32Array {
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
