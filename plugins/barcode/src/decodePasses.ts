/** The decode passes over a page, the cheapest first. Each yields what it detected, in the page's own pixels. */
import type { RawPage, Symbology } from '@platen/core/plugin';
import { boxOf, coincide, type Box } from './geometry.js';
import { gradientMap } from './locate/gradientMap.js';
import { luminance, shrunkSize } from './luminance.js';
import { decodeRegions } from './regionDecoding.js';
import { zxingFormats, type Family } from './symbologies.js';
import { applyTable, otsuThreshold, stretchTable } from './thresholding.js';
import type { DecodeRequest, Detection, Plane, Zxing } from './zxing.js';

export interface DecodeOptions {
  readonly page: RawPage;
  readonly formats: readonly Symbology[];
  readonly thorough: boolean;
  /** In smaller passes, for a caller that stops at the first code: one pass takes less time than its parts. */
  readonly steps: boolean;
}

/** From this resolution on, a page is first decoded at a half or a quarter of it: faster, with less noise. */
const FINE_DPI = 450;
/** Larger pages are not decoded in full: zxing's own copies of an image must fit into its memory too. */
const MOST_PIXELS = 120_000_000;

/** Images of up to this many pixels are always decoded with the library's defaults: A4 at 150 dpi. */
const SMALL = 2_500_000;

const MM_PER_INCH = 25.4;

const allFamilies: readonly Family[] = ['linear', 'matrix', 'stacked'];

/** Every pass is one step of the generator: a caller that has enough stops pulling, and nothing more is done. */
export function* decodePasses(zxing: Zxing, options: DecodeOptions): Generator<Detection[], void> {
  const { page, thorough } = options;
  let shrink = 1;
  while (page.dpi / shrink >= FINE_DPI || (page.width / shrink) * (page.height / shrink) > MOST_PIXELS) shrink *= 2;
  for (const found of passesAt(zxing, options, shrink, false)) yield found.map(each => scaled(each, shrink));
  if (shrink > 1 && thorough && page.width * page.height <= MOST_PIXELS) yield* passesAt(zxing, options, 1, true);
}

/** @param again the page was decoded at a lower resolution already */
function* passesAt(zxing: Zxing, options: DecodeOptions, shrink: number, again: boolean): Generator<Detection[], void> {
  const { page, formats, thorough } = options;
  const { width, height } = shrunkSize(page, shrink);
  const regions = thorough && !again;
  const plane = zxing.plane(width, height);
  try {
    luminance(page, shrink, zxing.bytes(plane));
    const detections: Detection[] = [];
    for (const found of libraryPasses(zxing, plane, options)) {
      detections.push(...found);
      yield found;
    }
    const hasGrey = page.pixels !== 'bw1' || shrink !== 1;
    const levels = hasGrey ? stretchTable(otsuThreshold(zxing.bytes(plane), 7), false) : undefined;
    for (const found of globalThresholdPasses(zxing, plane, levels, options, regions)) {
      detections.push(...found);
      yield found.filter(each => !each.damaged);
    }
    if (!regions) return;
    const map = gradientMap(zxing.bytes(plane), width, height);
    yield* decodeRegions(zxing, plane, { formats, detections, map, levels, perMm: page.dpi / shrink / MM_PER_INCH });
  } finally {
    zxing.free(plane);
  }
}

/**
 * Linear codes by single scan lines, which zxing sharpens first. Then the whole image with the library's own defaults, so
 * that nothing is missed that it reads: candidate boxes and a smaller image would take half of the time, and lose one
 * faint or shadowed code in fifty. Grey levels stay as they are, as the library finds local thresholds.
 */
function* libraryPasses(
  zxing: Zxing,
  plane: Plane,
  { formats, thorough }: DecodeOptions,
): Generator<Detection[], void> {
  const lines = zxing.decode(plane, requestFor(formats, ['linear'], 'perLine'));
  yield lines;
  if (!thorough && !isSmall(plane)) return;
  const isLine = ({ symbology, text, corners }: Detection): boolean =>
    lines.some(
      line => line.symbology === symbology && line.text === text && coincide(boxOf(line.corners), boxOf(corners)),
    );
  const found = zxing.decode(plane, { ...requestFor(formats, allFamilies, 'local'), libraryDefaults: true });
  // The same lines again add no confidence.
  yield found.filter(each => !isLine(each));
}

/**
 * On a copy whose Otsu threshold is zxing's fixed one.
 * @param regions also reports codes that were located and not read, and decodes PDF417 in quarters
 */
function* globalThresholdPasses(
  zxing: Zxing,
  plane: Plane,
  levels: Uint8Array | undefined,
  { formats, steps }: DecodeOptions,
  regions: boolean,
): Generator<Detection[], void> {
  const copy = levels && copied(zxing, plane, { left: 0, top: 0, right: plane.width, bottom: plane.height });
  try {
    if (levels && copy) applyTable(levels, zxing.bytes(copy));
    // Linear codes once more: strong noise blurs the threshold of each line, and not that of the page.
    const groups: (readonly Family[])[] = steps ? [['matrix'], ['linear', 'stacked']] : [allFamilies];
    for (const families of groups) {
      yield zxing.decode(copy ?? plane, { ...requestFor(formats, families, 'fixed'), damaged: regions });
    }
    const stacked = { ...requestFor(formats, ['stacked'], 'fixed'), rotate: false };
    if (!regions || stacked.formats === '') return;
    for (const box of quarters(plane)) yield decodePart(zxing, copy ?? plane, box, stacked);
  } finally {
    if (copy) zxing.free(copy);
  }
}

function requestFor(
  formats: readonly Symbology[],
  families: readonly Family[],
  threshold: DecodeRequest['threshold'],
): DecodeRequest {
  return { formats: zxingFormats(formats, families), rotate: true, threshold };
}

function isSmall({ width, height }: Plane): boolean {
  return width * height <= SMALL;
}

/** A quarter's share of each side: neighbours overlap by the width of most PDF417. */
const QUARTER = 0.6;

/**
 * zxing overlooks an upright PDF417 among text, whose letters resemble its start pattern; with less text beside it, it
 * does not.
 */
function quarters({ width, height }: Plane): Box[] {
  const [across, down] = [Math.floor(width * (1 - QUARTER)), Math.floor(height * (1 - QUARTER))];
  return [0, down].flatMap(top =>
    [0, across].map(left => ({ left, top, right: left + width - across, bottom: top + height - down })),
  );
}

function decodePart(zxing: Zxing, plane: Plane, box: Box, request: DecodeRequest): Detection[] {
  const part = copied(zxing, plane, box);
  try {
    return zxing.decode(part, request).map(each => ({
      ...each,
      corners: each.corners.map(([x, y]) => [x + box.left, y + box.top] as const),
    }));
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

function scaled(detection: Detection, by: number): Detection {
  if (by === 1) return detection;
  const corners = detection.corners.map(([x, y]) => [x * by, y * by] as const);
  return { ...detection, agreement: detection.agreement * by, corners };
}
