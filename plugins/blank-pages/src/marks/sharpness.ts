/**
 * How sharp faint marks are. Print has edges as sharp as the scanner sees them; what shines through from the other side
 * was scattered by the paper.
 */
import type { Plane } from '../page/plane.js';

/** Sums of squared differences between samples that are near each other and farther apart. */
export interface Contrast {
  near: number;
  far: number;
  count: number;
}

/** Millimetres between the samples that are compared. */
const NEAR_MM = 0.17;
const FAR_MM = 0.5;
/** Marks differ more than the paper's grain: of one sample so many times as much, of many the root of it. */
const GRAINS = { one: 12, least: 0.25 } as const;

export interface Distances {
  /** In samples. */
  readonly near: number;
  readonly far: number;
  /** The least sharpness of print: of thin strokes, and of areas. */
  readonly thin: number;
  readonly wide: number;
}

/** The standard deviation of a stroke of print as it shines through, in millimetres. */
const SCATTER_MM = 0.17;

export function distancesOf({ perMm }: Plane): Distances {
  const near = Math.max(1, Math.round(NEAR_MM * perMm));
  const far = Math.max(near + 1, Math.round(FAR_MM * perMm));
  // The difference that is left between two places of a stroke with the shape of a Gaussian.
  const through = (distance: number): number => 1 - Math.exp(-((distance / perMm) ** 2) / (4 * SCATTER_MM ** 2));
  // A sharp edge gives a difference in proportion to the distance; the numbers were measured on drawn pages.
  const thin = Math.min(0.9, 1.25 * (through(near) / through(far)) + 0.05);
  const wide = Math.min(thin, ((1.3 * near) / perMm - 0.03) * (0.5 / (far / perMm)));
  return { near, far, thin, wide };
}

export const noContrast = (): Contrast => ({ near: 0, far: 0, count: 0 });

/** Adds the differences within a box of samples; of a large one, only of as many rows as have about `enough` samples. */
export function addContrast(
  sum: Contrast,
  { width, height, data }: Plane,
  { near, far }: Distances,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  enough: number,
): void {
  const left = Math.max(0, box.left - far);
  const top = Math.max(0, box.top - far);
  const right = Math.min(width - far, box.right);
  const bottom = Math.min(height - far, box.bottom);
  if (right <= left) return;
  const every = Math.max(1, Math.floor(((right - left) * (bottom - top)) / enough));
  for (let y = top; y < bottom; y += every) {
    sum.count += right - left;
    for (let x = left, at = y * width + left; x < right; x++, at++) {
      const value = data[at]!;
      const a = data[at + near]! - value;
      const b = data[at + near * width]! - value;
      const c = data[at + far]! - value;
      const d = data[at + far * width]! - value;
      sum.near += a * a + b * b;
      sum.far += c * c + d * d;
    }
  }
}

/** The share of the far contrast that is near, from 0, without the paper's grain; undefined if grain is all there is. */
export function sharpnessOf(marks: Contrast, paper: Contrast): number | undefined {
  if (marks.count === 0) return undefined;
  // Where no paper is plain, nothing is known of its grain: in doubt there is none.
  const plain = Math.max(1, paper.count);
  const near = marks.near / marks.count - paper.near / plain;
  const far = marks.far / marks.count - paper.far / plain;
  const grain = Math.max(GRAINS.least, GRAINS.one / Math.sqrt(marks.count));
  return far > (grain * paper.far) / plain + 1 ? Math.max(0, near / far) : undefined;
}
