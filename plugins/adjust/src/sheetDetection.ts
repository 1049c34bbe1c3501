/**
 * Where the sheet lies on what was scanned.
 *
 * A side of the scanned area along which nothing but one colour is seen shows the background. What differs from it is the sheet, if
 * it is a sheet: all along each of its edges there is a step, and what lies behind it differs as well. On paper in the background's own
 * colour only print differs, and behind the edge of a letter or of a frame there is paper again; the sky of a picture that is the whole page has no
 * step. Then nothing is certain, and nothing is cut.
 */
import { keepBlobs, type Mask } from './blobs.js';
import type { Box } from './cut.js';
import { isStraight } from './edge.js';
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
/** Of nine in ten, whose distance is the background's grain: a picture's dark corner has more. */
const MOST_GRAIN = 7;
const [LEAST_TOLERANCE, MOST_TOLERANCE] = [7, 24];
/** Dust is smaller; in square inches. */
const DUST = 0.0005;
/** How far behind its edge a sheet goes on; in inches. */
const BEHIND = 0.1;
const SOLID = 0.8;
/** A step: within so many pixels the distance from the background rises from this share of what it is behind the edge. */
const STEP = 3;
const BEFORE = 0.5;
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
    const apart = distances(small, colour);
    const mask: Mask = { width: small.width, height: small.height, data: apart.map(value => (value > tolerance ? 1 : 0)) };
    keepBlobs(mask, { minArea: Math.max(2, Math.round(DUST * small.dpi ** 2)) });
    const box = boundsOf(mask);
    if (!box) {
      why ||= 'nothing but background can be seen';
      continue;
    }
    const doubt = doubtOf({ ...mask, apart }, box, small.dpi, Math.max(...colour) > LIGHT);
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
    if (spread > MOST_GRAIN) continue;
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

function distances(small: Reduced, colour: readonly number[]): Uint8Array {
  const apart = new Uint8Array(small.width * small.height);
  for (let at = 0; at < apart.length; at++) apart[at] = distance(small, at, colour);
  return apart;
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

/** What differs, and by how much each pixel does. */
type Differing = Mask & { readonly apart: Uint8Array };

/** Why this is no sheet for certain. */
function doubtOf(mask: Differing, box: Box, dpi: number, onLight: boolean): string | undefined {
  const { width, height } = mask;
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(wide, high) < LEAST_SIDE * dpi) return 'what differs from the background is too small to be a sheet';
  if (onLight && wide * high < LEAST_SHARE_ON_LIGHT * width * height) return 'what differs from the background is too small to be told from print';
  const rows = { first: box.top, end: box.bottom, near: box.left, far: box.right - 1, lineStep: width, step: 1 };
  const columns = { first: box.left, end: box.right, near: box.top, far: box.bottom - 1, lineStep: 1, step: width };
  const certain =
    (box.left === 0 || agreement(mask, rows, 1, dpi) >= AGREE) &&
    (box.right === width || agreement(mask, rows, -1, dpi) >= AGREE) &&
    (box.top === 0 || agreement(mask, columns, 1, dpi) >= AGREE) &&
    (box.bottom === height || agreement(mask, columns, -1, dpi) >= AGREE);
  return certain ? undefined : 'the edges of the sheet cannot be told from the background';
}

/** The rows or the columns of a box: which there are, from where to where they go, and the way from one to the next and along each. */
interface Lines {
  readonly first: number;
  readonly end: number;
  readonly near: number;
  readonly far: number;
  readonly lineStep: number;
  readonly step: number;
}

/** Of the lines that differ anywhere, how many do so from a step on, and go on behind it; 0 where the steps make no straight edge. */
function agreement({ data, apart }: Differing, { first, end, near, far, lineStep, step }: Lines, sense: 1 | -1, dpi: number): number {
  const behind = Math.max(2, Math.round(BEHIND * dpi));
  const edge: { line: number; place: number }[] = [];
  let certain = 0;
  for (let line = first; line < end; line++) {
    const start = line * lineStep;
    let place = sense > 0 ? near : far;
    while (place >= near && place <= far && !data[start + place * step]) place += sense;
    if (place < near || place > far) continue;
    edge.push({ line, place });
    const before = apart[start + (place - STEP * sense) * step] ?? 0;
    const inside = apart[start + (place + 2 * sense) * step] ?? 0;
    let count = 0;
    for (let i = 0; i < behind && place >= near && place <= far; i++, place += sense) count += data[start + place * step]!;
    if (count >= SOLID * behind && before <= BEFORE * inside) certain++;
  }
  return isStraight(edge) ? certain / edge.length : 0;
}
