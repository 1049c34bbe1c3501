/** Region decoding: second passes over regions that the passes over the whole page may have missed or read partly. */
import type { Symbology } from '@platen/core/plugin';
import { boxOf, boxOfRegion, contains, expanded, regionOf, sizeOf, toPage, type Region } from './geometry.js';
import { withLevels, type GradientMap } from './locate/gradientMap.js';
import { barRegionIn, barRegions, darkRegions, tintedRegions } from './locate/regionCandidates.js';
import { averageRows, rectified, stretchContrast, type GreyImage } from './rectify.js';
import { familyOf, zxingFormats, type Family } from './symbologies.js';
import type { DecodeRequest, Detection, Plane, Zxing } from './zxing.js';

export interface RegionDecoding {
  readonly formats: readonly Symbology[];
  /** Of the passes over the whole page, those that were located and not read included. */
  readonly detections: readonly Detection[];
  /** The table that stretches the page's contrast; absent on an image of black and white alone. */
  readonly levels: Uint8Array | undefined;
  /** Of the plane's own grey levels. */
  readonly map: GradientMap;
  /** Pixels. */
  readonly perMm: number;
}

interface Rectification {
  readonly invert?: boolean;
  /** Rows that are averaged into one. */
  readonly rows?: number;
}

interface Plan {
  readonly region: Region;
  /** One after the other, until the region is known. */
  readonly passes: readonly { readonly how: Rectification; readonly request: DecodeRequest }[];
  /** Even where a code is known. */
  readonly always?: boolean;
}

/** 0.3 mm at 300 dpi: a fraction of the height of any bars, and enough to remove half of the noise. */
const ROWS = 4;
/** Millimetres: a linear code whose scan lines agree over less gets a second pass along its bars … */
const SURE = 5;
/** … and one below this may be anything: it does not make its region known. */
const VAGUE = 2;
/** Pixels around a damaged symbol, and its enlargement. */
const MARGIN = 12;
const LARGER = 2;

/**
 * Of a PDF417, only the start or the stop pattern may stand out: bars higher than wide, shorter than END with their
 * margins. The rows lie within REACH of either. In millimetres.
 */
const END = 16;
const REACH = 55;

const allFamilies: readonly Family[] = ['linear', 'stacked', 'matrix'];
const barFamilies: readonly Family[] = ['linear', 'stacked'];

/** Yields the detections of one pass at a time. All regions together are no larger than the page. */
export function* decodeRegions(zxing: Zxing, plane: Plane, options: RegionDecoding): Generator<Detection[], void> {
  const { formats, detections, levels, map, perMm } = options;
  const image = (): GreyImage => ({ ...plane, bytes: zxing.bytes(plane) });
  const requestFor = (families: readonly Family[], rotate: boolean): DecodeRequest => ({
    formats: zxingFormats(formats, families),
    rotate,
    threshold: 'fixed',
  });
  const known = detections
    .filter(each => !each.damaged && (familyOf(each.symbology) !== 'linear' || each.agreement >= VAGUE * perMm))
    .map(({ corners }) => boxOf(corners));
  const isKnown = ({ centre }: Region) => known.some(box => contains(expanded(box, perMm / 3), centre));

  let budget = plane.width * plane.height;
  for (const { region, passes, always } of plansFor(options, withLevels(map, levels), requestFor)) {
    let pixels: Uint8Array | undefined;
    for (const { how, request } of passes) {
      if (request.formats === '' || (!always && isKnown(region))) continue;
      const { width, height } = sizeOf(region);
      budget -= width * height;
      if (budget < 0) return;
      pixels ??= rectified(image(), region);
      const found = decodeRegion(zxing, pixels, region, how, request);
      const sure = found.filter(each => each.unusedCorrection !== undefined || each.agreement >= VAGUE * perMm);
      known.push(...sure.map(({ corners }) => boxOf(corners)));
      yield found;
    }
  }
}

function plansFor(
  { detections, perMm }: RegionDecoding,
  map: GradientMap,
  requestFor: (families: readonly Family[], rotate: boolean) => DecodeRequest,
): Plan[] {
  const along = requestFor(['linear'], false);
  const [everything, stacked] = [requestFor(allFamilies, true), requestFor(['stacked'], true)];
  const lines = detections.filter(each => familyOf(each.symbology) === 'linear' && !each.damaged);
  const weak = lines.filter(({ agreement }) => agreement < SURE * perMm);
  const bars = barRegions(map);
  const dark = darkRegions(map);
  // Black bars may be dark all over, too: there both polarities are tried.
  const polarities = ({ centre }: Region) =>
    dark.some(each => contains(boxOfRegion(each), centre)) ? [false, true] : [false];
  const barPasses = (region: Region) =>
    polarities(region).flatMap(invert => [
      { how: { invert, rows: ROWS }, request: along },
      { how: { invert }, request: requestFor(barFamilies, false) },
    ]);
  const reach = REACH * perMm;
  const ends = bars.filter(({ length, breadth }) => breadth > length && length < END * perMm);
  return [
    ...weak.map(({ corners }) => ({
      region: barRegionIn(map, boxOf(corners)),
      passes: [{ how: { rows: ROWS }, request: along }],
      always: true,
    })),
    ...bars.map(region => ({ region, passes: barPasses(region) })),
    ...ends.map(region => ({
      region: { ...region, length: region.length + 2 * reach },
      passes: [{ how: {}, request: stacked }],
    })),
    ...dark.map(region => ({ region, passes: [{ how: { invert: true }, request: everything }] })),
    ...tintedRegions(map).map(region => ({ region, passes: [{ how: {}, request: everything }] })),
    ...detections
      .filter(each => each.damaged)
      .map(({ corners }) => ({
        region: regionOf(boxOf(corners), MARGIN, LARGER),
        passes: [{ how: {}, request: everything }],
      })),
  ];
}

/** @param pixels of the region, in the size of `sizeOf(region)` */
function decodeRegion(
  zxing: Zxing,
  pixels: Uint8Array,
  region: Region,
  { invert = false, rows = 1 }: Rectification,
  request: DecodeRequest,
): Detection[] {
  const { width, height } = sizeOf(region);
  const plane = zxing.plane(width, height);
  try {
    const bytes = zxing.bytes(plane);
    const averaged = averageRows(pixels, width, height, rows, bytes);
    stretchContrast(bytes.subarray(0, width * averaged), invert);
    return zxing.decode({ ...plane, height: averaged }, request).map(each => ({
      ...each,
      agreement: (each.agreement * rows) / region.scale,
      corners: each.corners.map(([x, y]) => toPage(region, [x, y * rows])),
    }));
  } finally {
    zxing.free(plane);
  }
}
