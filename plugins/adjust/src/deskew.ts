/** Deskews a page: measures the skew, decides, rotates. */
import { downsample, type Downsampled } from './analysis/downsample.js';
import { inkMask } from './analysis/inkMask.js';
import { viaBytes, type Raster } from './raster/raster.js';
import { LONGEST_SIDE, rotateBilinear, type Padding } from './raster/rotateBilinear.js';
import { columnSkew, rowSkew } from './analysis/skew.js';

/** Degrees; more is taken to be deliberate. */
export const MOST_DEGREES = 10;
/** Degrees; a line across an A4 page falls by less than half a millimetre. */
export const LEAST_DEGREES = 0.1;

const DPI = 100;
/**
 * A full page has many lines that each stand out a little, a short note a few that stand out much: for both,
 * `(evidence - 1) * sqrt(lines)` is 9 or more. The slopes and waves in a picture stay below 6.
 */
const LEAST_STRENGTH = 7;
/** One edge in a picture is not a line of text; edges at right angles are a sheet, a frame or a table. */
const LEAST_LINES = 3;
const LEAST_EVIDENCE = 1.7;
const SQUARE = 0.25;
/** A pixel that differs more from the fill must not get lost, unless there are so few that they are dust. */
const DIFFERENT = 32;
const DUST = 4;

export function deskewed(page: Raster, dpi: number): { page: Raster } | { why: string } {
  if (Math.max(page.width, page.height) > LONGEST_SIDE) {
    return { why: `its longer side has more than ${LONGEST_SIDE} pixels` };
  }
  const small = downsample(page, dpi, DPI);
  const measured = skewOf(small);
  if ('why' in measured) return measured;
  const { degrees } = measured;
  if (Math.abs(degrees) < LEAST_DEGREES) return { why: 'the page is straight already' };
  if (Math.abs(degrees) > MOST_DEGREES + 0.2) {
    const skew = Math.abs(degrees).toFixed(1);
    return { why: `its skew of ${skew}° is more than ${MOST_DEGREES}° and taken to be deliberate` };
  }
  const fill = borderColour(small);
  const padding = paddingFor(small, degrees, fill);
  return { page: viaBytes(page, bytes => rotateBilinear(bytes, degrees, fill, padding)) };
}

export function skewOf(small: Downsampled): { degrees: number } | { why: string } {
  const ink = inkMask(small);
  const [rows, columns] = [rowSkew(ink), columnSkew(ink)];
  const [best, other] = rows.evidence >= columns.evidence ? [rows, columns] : [columns, rows];
  const lines = best.lines >= LEAST_LINES && (best.evidence - 1) * Math.sqrt(best.lines) >= LEAST_STRENGTH;
  const square = other.evidence >= LEAST_EVIDENCE && Math.abs(best.degrees - other.degrees) < SQUARE;
  if (!lines && !square) return { why: 'there are no lines on it that would tell what is straight' };
  return { degrees: best.degrees };
}

/** The median along the page's border, each channel by itself: the paper, or the background. */
export function borderColour({ width, height, channels, data }: Downsampled): number[] {
  return Array.from({ length: channels }, (_, c) => {
    const values: number[] = [];
    for (let x = 0; x < width; x++)
      values.push(data[x * channels + c]!, data[((height - 1) * width + x) * channels + c]!);
    for (let y = 0; y < height; y++)
      values.push(data[y * width * channels + c]!, data[(y * width + width - 1) * channels + c]!);
    return values.sort((a, b) => a - b)[values.length >> 1]!;
  });
}

/** The page keeps its size, unless content would be lost: then it grows by that much, at that side. */
function paddingFor(small: Downsampled, degrees: number, fill: readonly number[]): Padding {
  const { width, height, channels, factor, data } = small;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const most = width + height;
  const beyond = {
    left: new Uint32Array(most),
    right: new Uint32Array(most),
    top: new Uint32Array(most),
    bottom: new Uint32Array(most),
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      let different = false;
      for (let c = 0; c < channels; c++) different ||= Math.abs(data[at + c]! - fill[c]!) > DIFFERENT;
      if (!different) continue;
      const [dx, dy] = [x - (width - 1) / 2, y - (height - 1) / 2];
      const [toX, toY] = [(width - 1) / 2 + dx * cos + dy * sin, (height - 1) / 2 - dx * sin + dy * cos];
      if (toX < 0) beyond.left[Math.ceil(-toX)]!++;
      else if (toX > width - 1) beyond.right[Math.ceil(toX - width + 1)]!++;
      if (toY < 0) beyond.top[Math.ceil(-toY)]!++;
      else if (toY > height - 1) beyond.bottom[Math.ceil(toY - height + 1)]!++;
    }
  }
  const { left, right, top, bottom } = beyond;
  return {
    left: furthest(left) * factor,
    right: furthest(right) * factor,
    top: furthest(top) * factor,
    bottom: furthest(bottom) * factor,
  };
}

/** The largest distance at which there is more than dust. */
function furthest(counts: Uint32Array): number {
  let seen = 0;
  for (let distance = counts.length - 1; distance > 0; distance--) {
    seen += counts[distance]!;
    if (seen >= DUST) return distance;
  }
  return 0;
}
