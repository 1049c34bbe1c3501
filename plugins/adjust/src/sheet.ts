/**
 * Where the sheet lies on what was scanned.
 *
 * A side of the scanned area along which nothing but one colour is seen shows the background. What differs from it is the sheet, if
 * it is a sheet: all along each of its edges, what lies behind the edge differs as well. On paper in the background's own colour only
 * print differs, and behind the edge of a letter or of a frame there is paper again: then nothing is certain, and nothing is cut.
 */
import { keepBlobs, type Mask } from './blobs.js';
import type { Box } from './cut.js';
import type { Reduced } from './shrink.js';

export interface Sheet {
  /** In pixels of the reduced page; all that differs lies within. */
  readonly box: Box;
  /** A value a channel. */
  readonly background: readonly number[];
  /** How far a pixel of the background is from it at most. */
  readonly tolerance: number;
}

/** Of the pixels along a side, so many look alike where it shows the background; in steps of 255. */
const ALIKE = 0.97;
const ALIKE_WITHIN = 12;
const [LEAST_TOLERANCE, MOST_TOLERANCE] = [7, 24];
/** Dust is smaller; in square inches. */
const DUST = 0.0005;
/** How far behind its edge a sheet goes on; in inches. */
const BEHIND = 0.1;
const SOLID = 0.8;
/** Of the rows or columns of a sheet, so many have to agree on an edge. */
const AGREE = 0.9;
/** In inches. A smaller thing is as likely print. */
const LEAST_SIDE = 0.8;
/** On a light background a picture on paper looks as a sheet does: it has to be so much of the area. */
const LEAST_SHARE_ON_LIGHT = 0.25;
const LIGHT = 160;

export function sheetOn(small: Reduced): Sheet | { readonly why: string } {
  const backgrounds = backgroundsOf(small);
  if (backgrounds.length === 0) return { why: 'no background can be seen around it' };
  let why = '';
  for (const { colour, tolerance } of backgrounds) {
    const mask = different(small, colour, tolerance);
    keepBlobs(mask, { minArea: Math.max(2, Math.round(DUST * small.dpi ** 2)) });
    const box = boundsOf(mask);
    if (!box) {
      why ||= 'nothing but background can be seen';
      continue;
    }
    const doubt = doubtOf(mask, box, small.dpi, Math.max(...colour) > LIGHT);
    if (doubt === undefined) return { box, background: colour, tolerance };
    why ||= doubt;
  }
  return { why };
}

/** The colours that sides are of, the one of most sides first. */
function backgroundsOf(small: Reduced): { colour: number[]; tolerance: number; sides: number }[] {
  const { width, height } = small;
  const sides = [
    Array.from({ length: width }, (_, x) => x),
    Array.from({ length: width }, (_, x) => (height - 1) * width + x),
    Array.from({ length: height }, (_, y) => y * width),
    Array.from({ length: height }, (_, y) => y * width + width - 1),
  ];
  const found: { colour: number[]; tolerance: number; sides: number }[] = [];
  for (const side of sides) {
    const colour = Array.from({ length: small.channels }, (_, c) => side.map(at => small.data[at * small.channels + c]!).sort((a, b) => a - b)[side.length >> 1]!);
    const apart = side.map(at => distance(small, at, colour)).sort((a, b) => a - b);
    if (apart[Math.floor(ALIKE * (side.length - 1))]! > ALIKE_WITHIN) continue;
    const spread = apart[Math.floor(0.9 * (side.length - 1))]!;
    const tolerance = Math.min(MOST_TOLERANCE, LEAST_TOLERANCE + 2 * spread);
    const same = found.find(each => each.colour.every((value, c) => Math.abs(value - colour[c]!) <= ALIKE_WITHIN));
    if (!same) found.push({ colour, tolerance, sides: 1 });
    else {
      same.sides++;
      same.tolerance = Math.max(same.tolerance, tolerance);
    }
  }
  return found.sort((a, b) => b.sides - a.sides);
}

function distance({ channels, data }: Reduced, at: number, colour: readonly number[]): number {
  let most = 0;
  for (let c = 0; c < channels; c++) most = Math.max(most, Math.abs(data[at * channels + c]! - colour[c]!));
  return most;
}

function different(small: Reduced, colour: readonly number[], tolerance: number): Mask {
  const { width, height } = small;
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at++) data[at] = distance(small, at, colour) > tolerance ? 1 : 0;
  return { width, height, data };
}

function boundsOf({ width, height, data }: Mask): Box | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    top = Math.min(top, y);
    bottom = y + 1;
    left = Math.min(left, first);
    right = Math.max(right, row.lastIndexOf(1) + 1);
  }
  return bottom === 0 ? undefined : { left, top, right, bottom };
}

/** Why this is no sheet for certain. */
function doubtOf(mask: Mask, box: Box, dpi: number, onLight: boolean): string | undefined {
  const { width, height } = mask;
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(wide, high) < LEAST_SIDE * dpi) return 'what differs from the background is too small to be a sheet';
  if (onLight && wide * high < LEAST_SHARE_ON_LIGHT * width * height) return 'what differs from the background is too small to be told from print';
  const sides = [
    { open: box.left === 0, agree: () => agreement(mask, box, 'rows', 1, dpi) },
    { open: box.right === width, agree: () => agreement(mask, box, 'rows', -1, dpi) },
    { open: box.top === 0, agree: () => agreement(mask, box, 'columns', 1, dpi) },
    { open: box.bottom === height, agree: () => agreement(mask, box, 'columns', -1, dpi) },
  ];
  const certain = sides.every(({ open, agree }) => open || agree() >= AGREE);
  return certain ? undefined : 'the edges of the sheet cannot be told from the background';
}

/** Of the rows (or columns) that differ anywhere, how many go on differing behind the first pixel that does, from the one side or the other. */
function agreement({ width, data }: Mask, box: Box, lines: 'rows' | 'columns', sense: 1 | -1, dpi: number): number {
  const behind = Math.max(2, Math.round(BEHIND * dpi));
  const [first, end] = lines === 'rows' ? [box.top, box.bottom] : [box.left, box.right];
  const [near, far] = lines === 'rows' ? [box.left, box.right - 1] : [box.top, box.bottom - 1];
  const [lineStep, step] = lines === 'rows' ? [width, 1] : [1, width];
  let [seen, solid] = [0, 0];
  for (let line = first; line < end; line++) {
    let place = sense > 0 ? near : far;
    while (place >= near && place <= far && !data[line * lineStep + place * step]) place += sense;
    if (place < near || place > far) continue;
    seen++;
    let count = 0;
    for (let i = 0; i < behind && place >= near && place <= far; i++, place += sense) count += data[line * lineStep + place * step]!;
    if (count >= SOLID * behind) solid++;
  }
  return seen === 0 ? 0 : solid / seen;
}
