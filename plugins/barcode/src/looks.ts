/** The looks that are taken at a page, the cheapest first: each yields what it saw, in the page's own pixels. */
import type { RawPage, Symbology } from '@platen/core/plugin';
import { closerLooks } from './closer.js';
import type { Box } from './geometry.js';
import { luminance, shrunkSize } from './luminance.js';
import { askFor, type Family } from './names.js';
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

const MM_PER_INCH = 25.4;

/** Every look is a step: who has seen enough stops pulling, and nothing more is done. */
export function* looks(zxing: Zxing, looking: Looking): Generator<Sighting[], void> {
  const { page, thorough } = looking;
  let shrink = 1;
  while (page.dpi / shrink >= FINE_DPI || (page.width / shrink) * (page.height / shrink) > LARGEST) shrink *= 2;
  for (const sightings of looksAt(zxing, looking, shrink, thorough)) yield sightings.map(each => scaled(each, shrink));
  if (shrink > 1 && thorough && page.width * page.height <= LARGEST) yield* looksAt(zxing, looking, 1, false);
}

function* looksAt(zxing: Zxing, { page, formats, steps }: Looking, shrink: number, closer: boolean): Generator<Sighting[], void> {
  const { width, height } = shrunkSize(page, shrink);
  const plane = zxing.plane(width, height);
  try {
    luminance(page, shrink, zxing.bytes(plane));
    const seen: Sighting[] = [];
    // Looks line by line sharpen first, and want the tones in proportion: before they are spread.
    const first = zxing.look(plane, asking(formats, ['linear'], 'perLine', false));
    seen.push(...first);
    yield first;
    const levels = page.pixels === 'bw1' && shrink === 1 ? undefined : spread(otsu(zxing.bytes(plane), 7), false);
    for (const ask of fixedAsks(formats, steps, closer)) {
      const sightings = spreadLook(zxing, plane, wholeOf(plane), levels, ask);
      seen.push(...sightings);
      yield sightings.filter(each => !each.damaged);
    }
    const stacked: Ask = { ...asking(formats, ['stacked'], 'fixed', false), rotate: false };
    for (const box of closer && stacked.formats !== '' ? quarters(plane) : []) {
      const sightings = spreadLook(zxing, plane, box, levels, stacked);
      seen.push(...sightings);
      yield sightings;
    }
    if (closer) yield* closerLooks(zxing, plane, { formats, seen, levels, perMm: page.dpi / shrink / MM_PER_INCH });
  } finally {
    zxing.free(plane);
  }
}

/** Linear codes once more: strong grain blurs the threshold of each line, and not that of the page. */
function fixedAsks(formats: readonly Symbology[], steps: boolean, damaged: boolean): Ask[] {
  const groups: (readonly Family[])[] = steps ? [['matrix'], ['linear', 'stacked']] : [['linear', 'matrix', 'stacked']];
  return groups.map(families => asking(formats, families, 'fixed', damaged));
}

function asking(formats: readonly Symbology[], families: readonly Family[], threshold: Ask['threshold'], damaged: boolean): Ask {
  return { formats: askFor(formats, families), rotate: true, threshold, damaged };
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

/** At a copy of a part of the plane, whose middle between black and white is zxing's threshold. */
function spreadLook(zxing: Zxing, plane: Plane, { left, top, right, bottom }: Box, levels: Uint8Array | undefined, ask: Ask): Sighting[] {
  const whole = right - left === plane.width && bottom - top === plane.height;
  if ((!levels && whole) || ask.formats === '') return zxing.look(plane, ask);
  const copy = zxing.plane(right - left, bottom - top);
  try {
    const [from, to] = [zxing.bytes(plane), zxing.bytes(copy)];
    for (let y = 0; y < copy.height; y++) {
      const start = (top + y) * plane.width + left;
      to.set(from.subarray(start, start + copy.width), y * copy.width);
    }
    if (levels) apply(levels, to);
    return zxing.look(copy, ask).map(each => ({ ...each, corners: each.corners.map(([x, y]) => [x + left, y + top] as const) }));
  } finally {
    zxing.free(copy);
  }
}

function scaled(sighting: Sighting, by: number): Sighting {
  return by === 1 ? sighting : { ...sighting, agreed: sighting.agreed * by, corners: sighting.corners.map(([x, y]) => [x * by, y * by] as const) };
}
