/** Places on a page that deserve a look of their own: bars, light on dark, print on a tint. */
import { boxOfCells, clusters } from './clusters.js';
import { area, grown, pieceOf, type Box, type Piece } from './geometry.js';
import { CELL, type Survey } from './survey.js';
import { MIDDLE } from './tone.js';

/** How much more than grain a cell must change to be print. */
export const ABOVE_GRAIN = 3;
/** … and in grey levels. */
const CONTRAST = 48;

const DEGREE = Math.PI / 180;
/** How far the directions of neighbouring cells of one code may differ. */
const SPREAD = 9 * DEGREE;
/** 1: all gradients of a cell lie in one direction. Letters stay below, bars above. */
export const COHERENT = 0.7;
/** The rows of a PDF417, between its start and its stop. Upright text comes as high: this holds for bars that lean only. */
const STACKED = 0.45;
const LEANING = 4 * DEGREE;
/** Fewer cells, or a cluster not as broad, is a word. */
const FEWEST = 8;
const NARROWEST = 2 * CELL;

interface Direction {
  readonly angle: number;
  readonly coherence: number;
}

/** Bars at whatever angle, as upright pieces, the largest first. */
export function bars(survey: Survey): Piece[] {
  const { columns, rows } = survey;
  const { grain } = survey;
  const least = grain * ABOVE_GRAIN;
  const angles = new Float32Array(columns * rows);
  const barred = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (survey.xx[at]! + survey.yy[at]! < least || survey.lightest[at]! - survey.darkest[at]! < CONTRAST) continue;
      const { angle, coherence } = directionOf(survey, nearby(survey, column, row), grain);
      angles[at] = angle;
      barred[at] = coherence > COHERENT ? 2 : coherence > STACKED && offAxis(angle) > LEANING ? 1 : 0;
    }
  }
  const leans = clusters(survey, cell => barred[cell] === 2, (from, to) => barred[to] !== 0 && turn(angles[from]!, angles[to]!) < SPREAD);
  return leans
    .filter(cells => cells.length >= FEWEST)
    .sort((a, b) => b.length - a.length)
    .map(cells => alongBars(survey, cells))
    .filter(({ breadth }) => breadth >= NARROWEST + 2 * CELL);
}

/** The cell and those around it: one cell alone sees too few bars. */
export function nearby({ columns, rows }: Survey, column: number, row: number): number[] {
  const cells: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) cells.push(y * columns + x);
  }
  return cells;
}

/** Grain, which has no direction, is taken off first. */
export function directionOf({ xx, yy, xy }: Survey, cells: readonly number[], grain: number): Direction {
  let [a, b, c] = [0, 0, 0];
  for (const cell of cells) {
    a += xx[cell]!;
    b += yy[cell]!;
    c += xy[cell]!;
  }
  return { angle: Math.atan2(2 * c, a - b) / 2, coherence: Math.hypot(a - b, 2 * c) / Math.max(1, a + b - grain * cells.length) };
}

/** Between two directions, either way round. */
function turn(a: number, b: number): number {
  const difference = Math.abs(a - b) % Math.PI;
  return Math.min(difference, Math.PI - difference);
}

function offAxis(angle: number): number {
  return Math.min(turn(angle, 0), turn(angle, Math.PI / 2));
}

/** The bars that lie in a box, which a few scan lines found, as an upright piece: with all of their height, and room on either side. */
export function barsIn(survey: Survey, box: Box): Piece {
  const { left, top, right, bottom } = grown(box, CELL);
  const cells: number[] = [];
  for (let y = Math.max(0, Math.floor(top / CELL)); y <= Math.min(survey.rows - 1, bottom / CELL); y++) {
    for (let x = Math.max(0, Math.floor(left / CELL)); x <= Math.min(survey.columns - 1, right / CELL); x++) cells.push(y * survey.columns + x);
  }
  const { length, breadth, ...piece } = alongBars(survey, cells);
  return { ...piece, length: length + 2 * CELL, breadth: breadth + 6 * CELL };
}

function alongBars(survey: Survey, cells: readonly number[]): Piece {
  const { columns } = survey;
  const { angle } = directionOf(survey, cells, 0);
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
  // Cells at the ends may have been too empty: two cells of margin, and what a quiet zone needs.
  return { centre: [along * cos - across * sin, along * sin + across * cos], angle, length: to - from + 5 * CELL, breadth: high - low + 2 * CELL, scale: 1 };
}

/** Cells that are black, and what hangs together with them without being paper. */
const BLACK = 70;
const PAPER = 185;

/** Boxes in which light codes may lie on dark ground. */
export function dark(survey: Survey): Piece[] {
  const { mean } = survey;
  return boxes(survey, clusters(survey, cell => mean[cell]! < BLACK, (_, to) => mean[to]! < PAPER));
}

/** Boxes with print that one threshold for the whole page makes all white or all black. */
export function tinted(survey: Survey): Piece[] {
  const { darkest, lightest, xx, yy, grain } = survey;
  const least = grain * ABOVE_GRAIN;
  const lost = (cell: number) =>
    lightest[cell]! - darkest[cell]! >= CONTRAST && (lightest[cell]! < MIDDLE || darkest[cell]! > MIDDLE) && xx[cell]! + yy[cell]! > least;
  return boxes(survey, clusters(survey, lost, (_, to) => lost(to)));
}

/** Too small for any code: 4 mm at 300 dpi. */
const SMALLEST = 3 * CELL;

function boxes(survey: Survey, found: readonly (readonly number[])[]): Piece[] {
  return found
    .map(cells => boxOfCells(survey, cells))
    .filter(({ left, top, right, bottom }) => right - left >= SMALLEST && bottom - top >= SMALLEST)
    .sort((a, b) => area(b) - area(a))
    .map(box => pieceOf(box, CELL));
}
