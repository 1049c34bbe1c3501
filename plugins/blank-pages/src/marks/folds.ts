/** Folds whose shadow is wider than a line. */
import type { Component, Components } from './components.js';
import type { Marks } from './mask.js';

/** Shares of the sheet and of the length; millimetres. */
const FOLD = { covers: 0.95, widest: 10, rough: 0.8, skew: 0.07 } as const;

/** A straight shadow from edge to edge, as thick as the paper bulges there. */
export function isFold(component: Component, { rows, starts, ends }: Components, marks: Marks): boolean {
  const { perMm, sheet } = marks;
  const { left, top, right, bottom, area, runs } = component;
  const across = right - left >= bottom - top;
  const length = across ? right - left : bottom - top;
  const breadth = across ? bottom - top : right - left;
  const whole = across ? sheet.right - sheet.left : sheet.bottom - sheet.top;
  if (length < FOLD.covers * whole || area / length > FOLD.widest * perMm) return false;
  if (breadth > FOLD.widest * perMm + FOLD.skew * length) return false;
  // The nearer side of the shadow in each column, or row: it is a straight line.
  const side = new Float64Array(length).fill(Infinity);
  for (const run of runs) {
    const y = rows[run]!;
    if (!across) side[y - top] = Math.min(side[y - top]!, starts[run]!);
    else for (let x = starts[run]!; x < ends[run]!; x++) side[x - left] = Math.min(side[x - left]!, y);
  }
  const slope = (median(side.subarray(-(length >> 2))) - median(side.subarray(0, length >> 2))) / (length * 0.75);
  const middle = median(side.map((each, i) => each - slope * i));
  const off = side.filter((each, i) => Math.abs(each - slope * i - middle) > FOLD.rough * perMm).length;
  return off <= 0.05 * length;
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0;
}
