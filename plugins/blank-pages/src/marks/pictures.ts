/** Pictures and dark areas wider than a stroke: steps in the tone of the ground away from the edges. */
import type { Sheet } from '../page/sheet.js';
import type { Tiles } from '../page/tiles.js';
import type { Marks } from './mask.js';

/** Millimetres from the edges within which shadows of the spine and of folds lie. */
const SHADOW_MM = 25;
/** Levels by which the ground differs from the paper, as a share of its tone, and at least. */
const DIFFERENT = 0.1;
const DIFFERENT_LEVELS = 24;
/** A step over three millimetres, as a share of the difference: a shadow has none. */
const STEP_MM = 3;
const STEP = 0.5;
/** Square millimetres of a picture. */
const LEAST_MM2 = 30;

/** @returns the area of pictures, in cells of the mask; 0 if there are none */
export function picturesOn(
  { ground, paper }: Marks,
  { width, height, side, perMm }: Tiles,
  { from, to }: Sheet,
): number {
  const different = Math.max(DIFFERENT_LEVELS, DIFFERENT * paper);
  const margin = Math.round(SHADOW_MM * perMm);
  const step = Math.max(1, Math.round(STEP_MM * perMm));
  let inner = 0;
  let stepped = 0;
  let all = 0;
  for (let y = 0; y < height; y++) {
    for (let x = from[y]!; x < to[y]!; x++) {
      const off = Math.abs(ground[y * width + x]! - paper);
      if (off < different) continue;
      all++;
      if (isInner(x, y, margin)) inner++;
      else if (hasStep(x, y, off)) stepped++;
    }
  }
  const least = LEAST_MM2 * perMm * perMm;
  return inner >= least || stepped >= least ? all * side * side : 0;

  function isInner(x: number, y: number, far: number): boolean {
    if (y - far < 0 || y + far >= height) return false;
    return [y - far, y, y + far].every(each => x - far >= from[each]! && x + far < to[each]!);
  }

  /** Whether the ground changes at once from the paper's tone, two millimetres inside the sheet at least. */
  function hasStep(x: number, y: number, off: number): boolean {
    if (!isInner(x, y, 2 * step)) return false;
    const value = ground[y * width + x]!;
    return [-step, step, -step * width, step * width].some(
      offset => Math.abs(ground[y * width + x + offset]! - value) >= Math.max(different, STEP * off),
    );
  }
}
