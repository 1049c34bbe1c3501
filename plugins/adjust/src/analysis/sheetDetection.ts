/**
 * Sheet detection: finds the sheet in the scanned area.
 *
 * A side of the scanned area that has one colour shows the background. What differs from it is a sheet where each of
 * its edges is a step over its whole length, and what lies behind the step differs as well. On paper of the
 * background's colour only print differs, and behind the edge of a letter or a frame there is paper again; a picture's
 * sky has no step. Then nothing is certain, and nothing is cropped.
 */
import { filterComponents, type Mask } from './connectedComponents.js';
import type { Box } from '../raster/extract.js';
import type { Downsampled } from './downsample.js';

export interface Sheet {
  /** In pixels of the downsampled page; contains everything that differs from the background. */
  readonly box: Box;
  /** A value a channel. */
  readonly background: readonly number[];
  /** The largest distance of a background pixel from that colour. */
  readonly tolerance: number;
}

/** A side shows the background where this share of its pixels lies within this many grey levels of its median. */
const ALIKE = 0.97;
const ALIKE_WITHIN = 12;
/** Grey levels: the 90th percentile of the distance is the background's noise; a picture's dark corner has more. */
const MOST_NOISE = 7;
const [LEAST_TOLERANCE, MOST_TOLERANCE] = [7, 24];
/** In square inches; smaller components are dust. */
const DUST = 0.0005;
/** In inches: a sheet continues at least this far behind its edge, in this share of the pixels. */
const BEHIND = 0.1;
const SOLID = 0.8;
/** A step: this many pixels before the edge, the distance from the background is at most this share of that behind it. */
const STEP = 3;
const BEFORE = 0.5;
/** The share of a sheet's rows or columns that must agree on an edge. */
const AGREE = 0.9;
/** A straight edge: degrees of skew that are tried, either way; a little more than what is deskewed. */
const MOST_DEGREES = 12;
const DEGREES_STEP = 0.25;
/** The largest distance of a point from the line, in pixels. */
const DEVIATION = 1.5;
/** From outside, one side of a skewed sheet shows two edges; the longer one has at least this share of the points. */
const STRAIGHT = 0.7;
/** In inches; anything smaller may be print. */
const LEAST_SIDE = 0.8;
/** On a light background, a picture on paper looks like a sheet, which must fill at least this share of the area. */
const LEAST_SHARE_ON_LIGHT = 0.25;
const LIGHT = 160;

export function detectSheet(small: Downsampled): Sheet | { readonly why: string } {
  const backgrounds = borderColours(small);
  if (backgrounds.length === 0) return { why: 'no background can be seen around it' };
  let why = '';
  for (const { colour, tolerance } of backgrounds) {
    const distance = distanceMap(small, colour);
    const differing = distance.map(value => (value > tolerance ? 1 : 0));
    const mask: Mask = { width: small.width, height: small.height, data: differing };
    filterComponents(mask, { minArea: Math.max(2, Math.round(DUST * small.dpi ** 2)) });
    const box = boundingBox(mask);
    if (!box) {
      why ||= 'nothing but background can be seen';
      continue;
    }
    const doubt = doubtAbout({ ...mask, distance }, box, small.dpi, Math.max(...colour) > LIGHT);
    if (doubt === undefined) return { box, background: colour, tolerance };
    why ||= doubt;
  }
  return { why };
}

interface BorderColour {
  readonly colour: readonly number[];
  tolerance: number;
  sides: number;
}

/** The colours of sides that show the background, the most frequent first. */
function borderColours(small: Downsampled): BorderColour[] {
  const { width, height } = small;
  const sides = [
    Array.from({ length: width }, (_, x) => x),
    Array.from({ length: width }, (_, x) => (height - 1) * width + x),
    Array.from({ length: height }, (_, y) => y * width),
    Array.from({ length: height }, (_, y) => y * width + width - 1),
  ];
  const found: BorderColour[] = [];
  for (const side of sides) {
    const valuesOf = (channel: number): number[] => side.map(at => small.data[at * small.channels + channel]!);
    const colour = Array.from({ length: small.channels }, (_, c) => median(valuesOf(c)));
    const apart = side.map(at => distanceAt(small, at, colour)).sort((a, b) => a - b);
    if (apart[Math.floor(ALIKE * (side.length - 1))]! > ALIKE_WITHIN) continue;
    const spread = apart[Math.floor(0.9 * (side.length - 1))]!;
    if (spread > MOST_NOISE) continue;
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

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

function distanceAt({ channels, data }: Downsampled, at: number, colour: readonly number[]): number {
  let most = 0;
  for (let c = 0; c < channels; c++) most = Math.max(most, Math.abs(data[at * channels + c]! - colour[c]!));
  return most;
}

function distanceMap(small: Downsampled, colour: readonly number[]): Uint8Array {
  const distance = new Uint8Array(small.width * small.height);
  for (let at = 0; at < distance.length; at++) distance[at] = distanceAt(small, at, colour);
  return distance;
}

function boundingBox({ width, height, data }: Mask): Box | undefined {
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

/** What differs from the background, and the distance of each pixel from it. */
type Differing = Mask & { readonly distance: Uint8Array };

/** Why the box is not certain to be a sheet; undefined if it is. */
function doubtAbout(mask: Differing, box: Box, dpi: number, onLight: boolean): string | undefined {
  const { width, height } = mask;
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  if (Math.min(wide, high) < LEAST_SIDE * dpi) return 'what differs from the background is too small to be a sheet';
  if (onLight && wide * high < LEAST_SHARE_ON_LIGHT * width * height)
    return 'what differs from the background is too small to be told from print';
  const rows = { first: box.top, end: box.bottom, near: box.left, far: box.right - 1, lineStep: width, step: 1 };
  const columns = { first: box.left, end: box.right, near: box.top, far: box.bottom - 1, lineStep: 1, step: width };
  const certain =
    (box.left === 0 || edgeAgreement(mask, rows, 1, dpi) >= AGREE) &&
    (box.right === width || edgeAgreement(mask, rows, -1, dpi) >= AGREE) &&
    (box.top === 0 || edgeAgreement(mask, columns, 1, dpi) >= AGREE) &&
    (box.bottom === height || edgeAgreement(mask, columns, -1, dpi) >= AGREE);
  return certain ? undefined : 'the edges of the sheet cannot be told from the background';
}

/** The rows or columns of a box: their range, their extent, and the index steps from line to line and along a line. */
interface Lines {
  readonly first: number;
  readonly end: number;
  readonly near: number;
  readonly far: number;
  readonly lineStep: number;
  readonly step: number;
}

/** The share of lines with a step and a solid sheet behind it; 0 if the steps do not lie on a straight edge. */
function edgeAgreement({ data, distance }: Differing, lines: Lines, sense: 1 | -1, dpi: number): number {
  const { first, end, near, far, lineStep, step } = lines;
  const behind = Math.max(2, Math.round(BEHIND * dpi));
  const edge: { line: number; place: number }[] = [];
  let certain = 0;
  for (let line = first; line < end; line++) {
    const start = line * lineStep;
    let place = sense > 0 ? near : far;
    while (place >= near && place <= far && !data[start + place * step]) place += sense;
    if (place < near || place > far) continue;
    edge.push({ line, place });
    const before = distance[start + (place - STEP * sense) * step] ?? 0;
    const inside = distance[start + (place + 2 * sense) * step] ?? 0;
    let count = 0;
    for (let i = 0; i < behind && place >= near && place <= far; i++, place += sense)
      count += data[start + place * step]!;
    if (count >= SOLID * behind && before <= BEFORE * inside) certain++;
  }
  return isStraightEdge(edge) ? certain / edge.length : 0;
}

/**
 * Whether the edge points of a sheet lie on a line.
 * @param edge in pixels: the line (row or column), and the place of the edge on it
 */
function isStraightEdge(edge: readonly { readonly line: number; readonly place: number }[]): boolean {
  for (let degrees = -MOST_DEGREES; degrees <= MOST_DEGREES; degrees += DEGREES_STEP) {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const places = edge.map(({ line, place }) => place - line * slope).sort((a, b) => a - b);
    const wanted = Math.ceil(STRAIGHT * places.length);
    for (let i = 0; i + wanted <= places.length; i++)
      if (places[i + wanted - 1]! - places[i]! <= 2 * DEVIATION) return wanted > 0;
  }
  return false;
}
