/** Straightens a page that was fed askew: measures, decides, turns. */
import { darkerThanAround } from './around.js';
import { lumaOf } from './grey.js';
import { inBytes, type Raster } from './raster.js';
import { shrink, type Reduced } from './shrink.js';
import { columnSkew, rowSkew } from './skew.js';
import { LONGEST_SIDE, straightened, type Growth } from './straighten.js';

/** Degrees; what is askew by more was laid that way. */
export const MOST_DEGREES = 10;
/** A line across an A4 page falls by less than half a millimetre. */
export const LEAST_DEGREES = 0.1;

const DPI = 100;
const CONTRAST = 20;
const AROUND = 0.1;
/**
 * A full page has many lines that each stand out a little, a short note a few that stand out much: `(evidence - 1) * sqrt(lines)` is 9 and
 * more for either, and below 6 for the slopes and waves in a picture.
 */
const LEAST_STRENGTH = 7;
/** One edge in a picture is no line of text; edges that are square to each other are a sheet, a frame or a table. */
const LEAST_LINES = 3;
const LEAST_EVIDENCE = 1.7;
const SQUARE = 0.25;
/** How far a pixel is from the fill when it must not get lost, and how many such make more than dust. */
const DIFFERENT = 32;
const DUST = 4;

export function deskewed(page: Raster, dpi: number): { page: Raster } | { why: string } {
  if (Math.max(page.width, page.height) > LONGEST_SIDE) return { why: `its longer side has more than ${LONGEST_SIDE} pixels` };
  const small = shrink(page, dpi, DPI);
  const measured = skewOf(small);
  if ('why' in measured) return measured;
  const { degrees } = measured;
  if (Math.abs(degrees) < LEAST_DEGREES) return { why: 'the page is straight already' };
  if (Math.abs(degrees) > MOST_DEGREES + 0.2) return { why: `its lines are ${Math.abs(degrees).toFixed(1)}° askew: more than ${MOST_DEGREES}° is taken to be meant` };
  const fill = edgeColour(small);
  const grow = growthFor(small, degrees, fill);
  return { page: inBytes(page, bytes => straightened(bytes, degrees, fill, grow)) };
}

export function skewOf(small: Reduced): { degrees: number } | { why: string } {
  const { width, height } = small;
  const grey = small.channels === 3 ? lumaOf(small.data) : small.data;
  const ink = { width, height, data: darkerThanAround({ width, height, data: grey }, Math.max(2, Math.round(AROUND * small.dpi)), CONTRAST) };
  const [rows, columns] = [rowSkew(ink), columnSkew(ink)];
  const [best, other] = rows.evidence >= columns.evidence ? [rows, columns] : [columns, rows];
  const lines = best.lines >= LEAST_LINES && (best.evidence - 1) * Math.sqrt(best.lines) >= LEAST_STRENGTH;
  const square = other.evidence >= LEAST_EVIDENCE && Math.abs(best.degrees - other.degrees) < SQUARE;
  if (!lines && !square) return { why: 'there are no lines on it that would tell what is straight' };
  return { degrees: best.degrees };
}

/** The middle one of the values along the page's edges, each channel by itself: the paper, or what lies behind it. */
export function edgeColour({ width, height, channels, data }: Reduced): number[] {
  return Array.from({ length: channels }, (_, c) => {
    const values: number[] = [];
    for (let x = 0; x < width; x++) values.push(data[x * channels + c]!, data[((height - 1) * width + x) * channels + c]!);
    for (let y = 0; y < height; y++) values.push(data[y * width * channels + c]!, data[(y * width + width - 1) * channels + c]!);
    return values.sort((a, b) => a - b)[values.length >> 1]!;
  });
}

/** The page keeps its size, unless something would be lost: then it grows by that much, at that side. */
function growthFor({ width, height, channels, factor, data }: Reduced, degrees: number, fill: readonly number[]): Growth {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const most = width + height;
  const beyond = { left: new Uint32Array(most), right: new Uint32Array(most), top: new Uint32Array(most), bottom: new Uint32Array(most) };
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
  return { left: reach(left) * factor, right: reach(right) * factor, top: reach(top) * factor, bottom: reach(bottom) * factor };
}

/** How far out more than dust reaches. */
function reach(counts: Uint32Array): number {
  let seen = 0;
  for (let distance = counts.length - 1; distance > 0; distance--) {
    seen += counts[distance]!;
    if (seen >= DUST) return distance;
  }
  return 0;
}
