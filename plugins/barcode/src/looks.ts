/** The looks that are taken at a page, the cheapest first: each yields what it saw, in the page's own pixels. */
import type { RawPage, Symbology } from '@platen/core/plugin';
import { closerLooks } from './closer.js';
import { boxOf, grown, meet, within, type Box } from './geometry.js';
import { luminance, shrunkSize, third } from './luminance.js';
import { askFor, type Family } from './names.js';
import { patches } from './patches.js';
import { survey, type Survey } from './survey.js';
import { apply, otsu, spread } from './tone.js';
import type { Ask, Plane, Sighting, Zxing } from './zxing.js';

export interface Looking {
  readonly page: RawPage;
  readonly formats: readonly Symbology[];
  readonly thorough: boolean;
  /** In smaller steps, for who stops at the first code: as one, they take less time together. */
  readonly steps: boolean;
}

/** From this resolution on a page is looked at in half (or a quarter) first: faster, and the averaging takes grain away. */
const FINE_DPI = 450;
/** Pages larger than this are not looked at in full: zxing's own copies of a picture must fit into its memory too. */
const LARGEST = 120_000_000;

/** Pictures of up to so many pixels get the library's own look as they are: A4 at 150 dpi. */
const SMALL = 2_500_000;
const THIRD = 3;
/** In pixels: a place that reaches no further beyond a code that was read holds no other. */
const KNOWN = 64;

const MM_PER_INCH = 25.4;

interface Fixed extends Pick<Looking, 'formats' | 'steps'> {
  /** Also what was found and not read, and PDF417 in quarters. */
  readonly closer: boolean;
}

/** Every look is a step: who has seen enough stops pulling, and nothing more is done. */
export function* looks(zxing: Zxing, looking: Looking): Generator<Sighting[], void> {
  const { page, thorough } = looking;
  let shrink = 1;
  while (page.dpi / shrink >= FINE_DPI || (page.width / shrink) * (page.height / shrink) > LARGEST) shrink *= 2;
  for (const sightings of looksAt(zxing, looking, shrink, false)) yield sightings.map(each => scaled(each, shrink));
  if (shrink > 1 && thorough && page.width * page.height <= LARGEST) yield* looksAt(zxing, looking, 1, true);
}

function* looksAt(zxing: Zxing, looking: Looking, shrink: number, again: boolean): Generator<Sighting[], void> {
  const { page, formats, steps, thorough } = looking;
  const { width, height } = shrunkSize(page, shrink);
  const closer = thorough && !again;
  const plane = zxing.plane(width, height);
  try {
    luminance(page, shrink, zxing.bytes(plane));
    const seen: Sighting[] = [];
    for (const sightings of ownLooks(zxing, plane, looking)) {
      seen.push(...sightings);
      yield sightings;
    }
    const levels = page.pixels === 'bw1' && shrink === 1 ? undefined : spread(otsu(zxing.bytes(plane), 7), false);
    for (const sightings of fixedLooks(zxing, plane, levels, { formats, steps, closer })) {
      seen.push(...sightings);
      yield sightings.filter(each => !each.damaged);
    }
    if (!closer && (!thorough || isSmall(plane))) return;
    const surveyed = survey(zxing.bytes(plane), width, height);
    for (const sightings of isSmall(plane) ? [] : patchLooks(zxing, plane, surveyed, formats, seen)) {
      seen.push(...sightings);
      yield sightings;
    }
    if (closer) yield* closerLooks(zxing, plane, { formats, seen, surveyed, levels, perMm: page.dpi / shrink / MM_PER_INCH });
  } finally {
    zxing.free(plane);
  }
}

/**
 * As the library looks of itself, so that nothing is missed that it reads; tones as they are, as it finds thresholds of
 * its own. A large picture is looked at so at a third of its size; its small codes are looked for later, in places of
 * their own. Single lines before that: they sharpen first.
 */
function* ownLooks(zxing: Zxing, plane: Plane, { formats, thorough }: Looking): Generator<Sighting[], void> {
  const lines = zxing.look(plane, asking(formats, ['linear'], 'perLine', false));
  yield lines;
  // The same lines again are no more evidence.
  const news = (found: readonly Sighting[]): Sighting[] =>
    found.filter(each => !lines.some(line => line.symbology === each.symbology && line.text === each.text && meet(boxOf(line.corners), boxOf(each.corners))));
  const own: Ask = { ...asking(formats, ['linear', 'matrix', 'stacked'], 'local', false), widely: true };
  if (isSmall(plane)) return yield news(zxing.look(plane, own));
  if (!thorough) return;
  const { width, height } = shrunkSize(plane, THIRD);
  const smaller = zxing.plane(width, height);
  try {
    third(zxing.bytes(plane), plane, zxing.bytes(smaller));
    yield news(zxing.look(smaller, own).map(each => scaled(each, THIRD)));
  } finally {
    zxing.free(smaller);
  }
}

/** As the library looks of itself, at the places of a large picture where it could find what the other looks do not. Together they are no larger than the picture. */
function* patchLooks(zxing: Zxing, plane: Plane, surveyed: Survey, formats: readonly Symbology[], seen: readonly Sighting[]): Generator<Sighting[], void> {
  const ask = (families: readonly Family[]): Ask => ({ ...asking(formats, families, 'local', false), widely: true });
  const [bars, codes] = [ask(['stacked']), ask(['matrix', 'stacked'])];
  if (codes.formats === '') return;
  const known = seen.filter(({ damaged }) => !damaged).map(({ corners }) => grown(boxOf(corners), KNOWN));
  let budget = plane.width * plane.height;
  for (const { box, barred } of patches(surveyed)) {
    if (known.some(each => within(box, each))) continue;
    const part = { left: Math.max(0, box.left), top: Math.max(0, box.top), right: Math.min(plane.width, box.right), bottom: Math.min(plane.height, box.bottom) };
    budget -= (part.right - part.left) * (part.bottom - part.top);
    if (budget < 0) return;
    yield lookAtPart(zxing, plane, part, barred ? bars : codes);
  }
}

/** At a copy whose middle between black and white is zxing's threshold. */
function* fixedLooks(zxing: Zxing, plane: Plane, levels: Uint8Array | undefined, { formats, steps, closer }: Fixed): Generator<Sighting[], void> {
  const copy = levels && copied(zxing, plane, wholeOf(plane));
  try {
    if (levels && copy) apply(levels, zxing.bytes(copy));
    // Linear codes once more: strong grain blurs the threshold of each line, and not that of the page.
    const groups: (readonly Family[])[] = steps ? [['matrix'], ['linear', 'stacked']] : [['linear', 'matrix', 'stacked']];
    for (const families of groups) yield zxing.look(copy ?? plane, asking(formats, families, 'fixed', closer));
    const stacked: Ask = { ...asking(formats, ['stacked'], 'fixed', false), rotate: false };
    if (!closer || stacked.formats === '') return;
    for (const box of quarters(plane)) yield lookAtPart(zxing, copy ?? plane, box, stacked);
  } finally {
    if (copy) zxing.free(copy);
  }
}

function asking(formats: readonly Symbology[], families: readonly Family[], threshold: Ask['threshold'], damaged: boolean): Ask {
  return { formats: askFor(formats, families), rotate: true, threshold, damaged };
}

function isSmall({ width, height }: Plane): boolean {
  return width * height <= SMALL;
}

function wholeOf({ width, height }: Plane): Box {
  return { left: 0, top: 0, right: width, bottom: height };
}

/** Share of the sides that a quarter has: neighbours overlap by what most PDF417 are wide. */
const QUARTER = 0.6;

/** zxing overlooks an upright PDF417 among text, whose letters pass for its start; with less text beside it, it does not. */
function quarters({ width, height }: Plane): Box[] {
  const [across, down] = [Math.floor(width * (1 - QUARTER)), Math.floor(height * (1 - QUARTER))];
  return [0, down].flatMap(top => [0, across].map(left => ({ left, top, right: left + width - across, bottom: top + height - down })));
}

function lookAtPart(zxing: Zxing, plane: Plane, box: Box, ask: Ask): Sighting[] {
  const part = copied(zxing, plane, box);
  try {
    return zxing.look(part, ask).map(each => ({ ...each, corners: each.corners.map(([x, y]) => [x + box.left, y + box.top] as const) }));
  } finally {
    zxing.free(part);
  }
}

function copied(zxing: Zxing, plane: Plane, { left, top, right, bottom }: Box): Plane {
  const copy = zxing.plane(right - left, bottom - top);
  const [from, to] = [zxing.bytes(plane), zxing.bytes(copy)];
  for (let y = 0; y < copy.height; y++) {
    const start = (top + y) * plane.width + left;
    to.set(from.subarray(start, start + copy.width), y * copy.width);
  }
  return copy;
}

function scaled(sighting: Sighting, by: number): Sighting {
  return by === 1 ? sighting : { ...sighting, agreed: sighting.agreed * by, corners: sighting.corners.map(([x, y]) => [x * by, y * by] as const) };
}
