/** Places in which a small code may lie whose black and white are not the page's: in a shadow, faint, blurred, light on dark. */
import { boxOfCells, clusters } from './clusters.js';
import { area, around, grown, overlap, type Box } from './geometry.js';
import { ABOVE_GRAIN, COHERENT, directionOf, nearby } from './suspects.js';
import { CELL, type Survey } from './survey.js';

/** A place where as much is dark as light, as in a code: print has 0.75 and more. Shares of the way from its darkest to its lightest tone. */
const HALF = [0.3, 0.65] as const;
/** Of the cell itself, of those beside it and at its corners: the smallest codes are two cells wide. */
const WEIGHTS = [8, 2, 1] as const;
/** In grey levels, as they are on the page: zxing's own least, below which it takes 8 x 8 pixels for one tone. */
const FAINT = 24;

/** Around the cells: the code's edge and its quiet zone. */
const MARGIN = 2 * CELL;

export interface Patch {
  readonly box: Box;
  /** All of it has one direction: no matrix code. */
  readonly barred: boolean;
}

/** @param survey of the page's own tones */
export function patches(survey: Survey): Patch[] {
  const { columns, rows, darkest, lightest, mean, xx, yy, grain } = survey;
  const even = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (xx[at]! + yy[at]! <= grain * ABOVE_GRAIN) continue;
      let [low, high, sum, weights] = [255, 0, 0, 0];
      const cells = nearby(survey, column, row);
      for (const cell of cells) {
        const apart = Math.abs((cell % columns) - column) + Math.abs(Math.floor(cell / columns) - row);
        low = Math.min(low, darkest[cell]!);
        high = Math.max(high, lightest[cell]!);
        sum += mean[cell]! * WEIGHTS[apart]!;
        weights += WEIGHTS[apart]!;
      }
      const share = (sum / weights - low) / Math.max(1, high - low);
      if (high - low < FAINT || share <= HALF[0] || share >= HALF[1]) continue;
      even[at] = directionOf(survey, cells, grain).coherence > COHERENT ? 1 : 2;
    }
  }
  const found = clusters(survey, cell => even[cell] !== 0, (_, to) => even[to] !== 0).filter(cells => cells.length > 1);
  return joined(found.map(cells => ({ box: grown(boxOfCells(survey, cells), MARGIN), barred: cells.every(cell => even[cell] === 1) })));
}

/** How much more than both of them a box around two patches may take. */
const SPARE = 1.5;

/** A shadow's edge that crosses a code parts it: patches that overlap, and together fill a box, are one. */
function joined(found: readonly Patch[]): Patch[] {
  const whole: Patch[] = [];
  for (const each of found) {
    let patch = each;
    for (let i = 0; i < whole.length; i++) {
      const other = whole[i]!;
      const box = around(patch.box, other.box);
      if (!overlap(patch.box, other.box) || area(box) > SPARE * (area(patch.box) + area(other.box))) continue;
      patch = { box, barred: patch.barred && other.barred };
      whole.splice(i, 1);
      // The larger one may meet others that it passed.
      i = -1;
    }
    whole.push(patch);
  }
  return whole;
}
