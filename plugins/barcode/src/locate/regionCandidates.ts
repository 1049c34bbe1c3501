/** Region candidates: where the gradient map shows bars, light codes on dark ground, or print on a tint. */
import { area, expanded, regionOf, type Box, type Region } from '../geometry.js';
import { MID_GREY } from '../thresholding.js';
import { CELL, type GradientMap } from './gradientMap.js';
import { boxOfCells, growRegions } from './regionGrowing.js';

/** A cell is print when its gradient energy is this many times that of noise … */
const ABOVE_NOISE = 3;
/** … and its grey levels span this much. */
const CONTRAST = 48;

const DEGREE = Math.PI / 180;
/** The largest difference between the orientations of neighbouring cells of one code. */
const SPREAD = 9 * DEGREE;
/** Coherence is 1 where all gradients of a cell are parallel. Letters stay below this, bars above. */
const COHERENT = 0.7;
/** The rows of a PDF417 between its start and stop patterns; for slanted bars only, as upright text is as coherent. */
const STACKED = 0.45;
const SLANTED = 4 * DEGREE;
/** A region with fewer cells, or narrower than this, is a word. */
const LEAST_CELLS = 8;
const LEAST_BREADTH = 2 * CELL;

interface Orientation {
  /** Radians: the direction of the gradients, which is across the bars. */
  readonly angle: number;
  readonly coherence: number;
}

/** Groups of bars at any angle, each aligned with its bars, the largest first. */
export function barRegions(map: GradientMap): Region[] {
  const { columns, rows, noise } = map;
  const least = noise * ABOVE_NOISE;
  const angles = new Float32Array(columns * rows);
  const barred = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (map.xx[at]! + map.yy[at]! < least || map.lightest[at]! - map.darkest[at]! < CONTRAST) continue;
      const { angle, coherence } = orientationOf(map, neighbourhood(map, column, row), noise);
      angles[at] = angle;
      barred[at] = coherence > COHERENT ? 2 : coherence > STACKED && offAxis(angle) > SLANTED ? 1 : 0;
    }
  }
  const parallel = (from: number, to: number) => angleBetween(angles[from]!, angles[to]!) < SPREAD;
  return growRegions(
    map,
    cell => barred[cell] === 2,
    (from, to) => barred[to] !== 0 && parallel(from, to),
  )
    .filter(cells => cells.length >= LEAST_CELLS)
    .sort((a, b) => b.length - a.length)
    .map(cells => alignedRegion(map, cells))
    .filter(({ breadth }) => breadth >= LEAST_BREADTH + 2 * CELL);
}

/** The cell and its eight neighbours: a single cell holds too few bars. */
function neighbourhood({ columns, rows }: GradientMap, column: number, row: number): number[] {
  const cells: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) cells.push(y * columns + x);
  }
  return cells;
}

/**
 * The principal axis of the cells' structure tensor.
 * @param noise is subtracted from the energy of each cell: noise has no direction
 */
function orientationOf({ xx, yy, xy }: GradientMap, cells: readonly number[], noise: number): Orientation {
  let [a, b, c] = [0, 0, 0];
  for (const cell of cells) {
    a += xx[cell]!;
    b += yy[cell]!;
    c += xy[cell]!;
  }
  const coherence = Math.hypot(a - b, 2 * c) / Math.max(1, a + b - noise * cells.length);
  return { angle: Math.atan2(2 * c, a - b) / 2, coherence };
}

/** Between two axes, 0 to 90°. */
function angleBetween(a: number, b: number): number {
  const difference = Math.abs(a - b) % Math.PI;
  return Math.min(difference, Math.PI - difference);
}

function offAxis(angle: number): number {
  return Math.min(angleBetween(angle, 0), angleBetween(angle, Math.PI / 2));
}

/** The bars in a box that a few scan lines detected: aligned with them, over their whole height, with a margin. */
export function barRegionIn(map: GradientMap, box: Box): Region {
  const { left, top, right, bottom } = expanded(box, CELL);
  const cells: number[] = [];
  for (let y = Math.max(0, Math.floor(top / CELL)); y <= Math.min(map.rows - 1, bottom / CELL); y++) {
    for (let x = Math.max(0, Math.floor(left / CELL)); x <= Math.min(map.columns - 1, right / CELL); x++) {
      cells.push(y * map.columns + x);
    }
  }
  const { length, breadth, ...region } = alignedRegion(map, cells);
  return { ...region, length: length + 2 * CELL, breadth: breadth + 6 * CELL };
}

function alignedRegion(map: GradientMap, cells: readonly number[]): Region {
  const { columns } = map;
  const { angle } = orientationOf(map, cells, 0);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [from, to, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const cell of cells) {
    const x = ((cell % columns) + 0.5) * CELL;
    const y = (Math.floor(cell / columns) + 0.5) * CELL;
    from = Math.min(from, x * cos + y * sin);
    to = Math.max(to, x * cos + y * sin);
    low = Math.min(low, y * cos - x * sin);
    high = Math.max(high, y * cos - x * sin);
  }
  const [along, across] = [(from + to) / 2, (low + high) / 2];
  const centre = [along * cos - across * sin, along * sin + across * cos] as const;
  // Cells at the ends may have been too empty to count: two cells of margin, and the quiet zone.
  return { centre, angle, length: to - from + 5 * CELL, breadth: high - low + 2 * CELL, scale: 1 };
}

/** Mean grey levels: black cells are seeds, and everything darker than paper joins them. */
const BLACK = 70;
const PAPER = 185;

/** Boxes in which light codes may lie on dark ground. */
export function darkRegions(map: GradientMap): Region[] {
  const { mean } = map;
  return boxRegions(
    map,
    growRegions(
      map,
      cell => mean[cell]! < BLACK,
      (_, to) => mean[to]! < PAPER,
    ),
  );
}

/** Boxes with print that a global threshold makes all white or all black. */
export function tintedRegions(map: GradientMap): Region[] {
  const { darkest, lightest, xx, yy, noise } = map;
  const least = noise * ABOVE_NOISE;
  const oneSided = (cell: number) => lightest[cell]! < MID_GREY || darkest[cell]! > MID_GREY;
  const lost = (cell: number) =>
    lightest[cell]! - darkest[cell]! >= CONTRAST && oneSided(cell) && xx[cell]! + yy[cell]! > least;
  return boxRegions(
    map,
    growRegions(map, lost, (_, to) => lost(to)),
  );
}

/** Smaller boxes hold no code: 4 mm at 300 dpi. */
const LEAST_SIDE = 3 * CELL;

function boxRegions(map: GradientMap, regions: readonly (readonly number[])[]): Region[] {
  return regions
    .map(cells => boxOfCells(map, cells))
    .filter(({ left, top, right, bottom }) => right - left >= LEAST_SIDE && bottom - top >= LEAST_SIDE)
    .sort((a, b) => area(b) - area(a))
    .map(box => regionOf(box, CELL));
}
