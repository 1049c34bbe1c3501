/** Boxes that may hold a small code which the global threshold loses: shadowed, faint, blurred or light on dark. */
import { area, expanded, intersect, union, type Box } from '../geometry.js';
import { CELL, type GradientMap } from './gradientMap.js';
import { ABOVE_NOISE, COHERENT, neighbourhood, orientationOf } from './regionCandidates.js';
import { boxOfCells, growRegions } from './regionGrowing.js';

/**
 * A code is about as much black as white; print is 0.75 white or more. The mean of a neighbourhood must lie between
 * these shares of the way from its darkest to its lightest grey level.
 */
const BALANCED = [0.3, 0.65] as const;
/** Weights of the cell itself, its edge neighbours and its corner neighbours: the smallest codes are two cells wide. */
const WEIGHTS = [8, 2, 1] as const;
/** The least contrast, in the page's own grey levels: below it, zxing takes 8 x 8 pixels for one level. */
const FAINT = 24;

/** Pixels around the cells: the code's edge and its quiet zone. */
const MARGIN = 2 * CELL;

export interface SmallCodeCandidate {
  readonly box: Box;
  /** All of it has one orientation: it holds no matrix code. */
  readonly barred: boolean;
}

/** @param map of the page's own grey levels */
export function smallCodeCandidates(map: GradientMap): SmallCodeCandidate[] {
  const { columns, rows, darkest, lightest, mean, xx, yy, noise } = map;
  const balanced = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (xx[at]! + yy[at]! <= noise * ABOVE_NOISE) continue;
      let [low, high, sum, weights] = [255, 0, 0, 0];
      const cells = neighbourhood(map, column, row);
      for (const cell of cells) {
        const distance = Math.abs((cell % columns) - column) + Math.abs(Math.floor(cell / columns) - row);
        low = Math.min(low, darkest[cell]!);
        high = Math.max(high, lightest[cell]!);
        sum += mean[cell]! * WEIGHTS[distance]!;
        weights += WEIGHTS[distance]!;
      }
      const share = (sum / weights - low) / Math.max(1, high - low);
      if (high - low < FAINT || share <= BALANCED[0] || share >= BALANCED[1]) continue;
      balanced[at] = orientationOf(map, cells, noise).coherence > COHERENT ? 1 : 2;
    }
  }
  const regions = growRegions(
    map,
    cell => balanced[cell] !== 0,
    (_, to) => balanced[to] !== 0,
  );
  return merged(
    regions
      .filter(cells => cells.length > 1)
      .map(cells => ({
        box: expanded(boxOfCells(map, cells), MARGIN),
        barred: cells.every(cell => balanced[cell] === 1),
      })),
  );
}

/** The largest area of a merged box, in the areas of the two boxes that it replaces. */
const LOOSE = 1.5;

/** The edge of a shadow splits a code: candidates that intersect and fill their common box become one. */
function merged(candidates: readonly SmallCodeCandidate[]): SmallCodeCandidate[] {
  const whole: SmallCodeCandidate[] = [];
  for (const each of candidates) {
    let candidate = each;
    for (let i = 0; i < whole.length; i++) {
      const other = whole[i]!;
      const box = union(candidate.box, other.box);
      if (!intersect(candidate.box, other.box) || area(box) > LOOSE * (area(candidate.box) + area(other.box))) continue;
      candidate = { box, barred: candidate.barred && other.barred };
      whole.splice(i, 1);
      // The larger box may intersect those that were passed over.
      i = -1;
    }
    whole.push(candidate);
  }
  return whole;
}
