/** A functional unit's properties, from the helper, and how Platen interprets them. Numbers are those of Apple's headers. */
import { millimetres, pageSizes } from '@platen/core/driver';
import { ScanError, type ColorMode, type PageSize, type Source } from '@platen/core/plugin';

/** ICScannerFunctionalUnitType: transparency units are not used. */
export const unitTypes: Readonly<Record<Source, number>> = { flatbed: 0, feeder: 3 };

/** ICScannerMeasurementUnit */
const INCHES = 0;
const CENTIMETRES = 1;
export const MM_PER_INCH = 25.4;
/** Scanners report an area slightly narrower than the paper that they are made for. */
const TOLERANCE_MM = 1;
/** A long list or a range, such as 75 to 19200, is reduced to these. */
const usual = [75, 100, 150, 200, 240, 300, 400, 600, 1200];
/** More values than this are a range. */
const MOST_DISCRETE = 24;
/** Higher ones are interpolated: an A4 page at 1200 dpi has 139 million pixels. */
const MOST_DPI = 1200;

/** ICScannerPixelDataType and ICScannerBitDepth of each colour mode. */
export const pixelsOf: Readonly<Record<ColorMode, { readonly pixelType: number; readonly depth: number }>> = {
  Color: { pixelType: 2, depth: 8 },
  Grayscale: { pixelType: 1, depth: 8 },
  BlackAndWhite: { pixelType: 0, depth: 1 },
};

type Ranges = readonly (readonly [number, number])[];

export interface Threshold {
  readonly usesThreshold: boolean;
  /** 0 to 255. */
  readonly threshold: number;
}

export interface Unit {
  readonly type: number;
  readonly resolutions: Ranges;
  readonly preferred: Ranges;
  readonly depths: Ranges;
  readonly unitsOfMeasure: Ranges;
  readonly unitOfMeasure: number;
  /** physicalSize, in the unit of measure. */
  readonly width: number;
  readonly height: number;
  /** Of a feeder. */
  readonly duplex: boolean;
  readonly loaded: boolean;
  /** Undefined: it accepts none. */
  readonly threshold?: Threshold;
}

export interface Described {
  /** Types of all units of the scanner. */
  readonly units: readonly number[];
  /** Undefined: none is selected. */
  readonly unit: Unit | undefined;
}

/** @throws ScanError `driver-failed` */
export function readDescription(header: Readonly<Record<string, unknown>>): Described {
  const { units, unit: type, width, height, unitOfMeasure } = header;
  if (!Array.isArray(units)) throw new ScanError('driver-failed', 'The helper described a scanner without its units.');
  if (typeof type !== 'number') return { units, unit: undefined };
  if (![width, height, unitOfMeasure].every(Number.isFinite))
    throw new ScanError('driver-failed', 'The helper described a unit without its size.');
  const { usesThreshold, threshold } = header;
  const unit: Unit = {
    type,
    resolutions: rangesOf(header['resolutions']),
    preferred: rangesOf(header['preferredResolutions']),
    depths: rangesOf(header['depths']),
    unitsOfMeasure: rangesOf(header['unitsOfMeasure']),
    unitOfMeasure: unitOfMeasure as number,
    width: width as number,
    height: height as number,
    duplex: header['duplex'] === true,
    loaded: header['loaded'] === true,
    ...(typeof threshold === 'number' && { threshold: { usesThreshold: usesThreshold === true, threshold } }),
  };
  return { units, unit };
}

function rangesOf(value: unknown): Ranges {
  return Array.isArray(value) ? (value as Ranges) : [];
}

function has(ranges: Ranges, value: number): boolean {
  return ranges.some(([first, last]) => value >= first && value <= last);
}

/** Ascending: the reasonable values of a list; for a range, the unit's preferred values, or else the usual steps. */
export function resolutionsOf({ resolutions, preferred }: Unit): readonly number[] {
  const all = listOf(resolutions) ?? listOf(preferred)?.filter(dpi => has(resolutions, dpi)) ?? [];
  const within = all.filter(dpi => dpi <= MOST_DPI);
  if (all.length > 0) return within.length > 0 ? within : all.slice(0, 1);
  const steps = usual.filter(dpi => has(resolutions, dpi));
  return steps.length > 0 ? steps : resolutions.slice(0, 1).map(([first]) => first);
}

/** Undefined for a range. */
function listOf(ranges: Ranges): readonly number[] | undefined {
  const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (count > MOST_DISCRETE) return undefined;
  return ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    .filter(dpi => dpi > 0);
}

/** The colour modes that it scans natively. A unit that reports no depth has 8 bits, as all units do. */
export function colorModesOf({ depths }: Unit): readonly ColorMode[] {
  const eight: ColorMode[] = depths.length === 0 || has(depths, 8) ? ['Color', 'Grayscale'] : [];
  return has(depths, 1) ? [...eight, 'BlackAndWhite'] : eight;
}

/** Inches if the unit accepts them, so that requests and answers use the same measure. */
export function measureOf({ unitsOfMeasure, unitOfMeasure }: Unit): number {
  return has(unitsOfMeasure, INCHES) ? INCHES : unitOfMeasure;
}

/** By ICScannerMeasurementUnit; pixels are not a length. */
export const perInch: Readonly<Record<number, number>> = { [INCHES]: 1, [CENTIMETRES]: 2.54, 2: 6, 3: 72, 4: 1440 };

/** The scan area in inches; undefined if the measure is not a length. */
export function areaOf({
  unitOfMeasure,
  width,
  height,
}: Unit): { readonly width: number; readonly height: number } | undefined {
  const divisor = perInch[unitOfMeasure];
  return divisor && width > 0 && height > 0 ? { width: width / divisor, height: height / divisor } : undefined;
}

/** The sizes that fit; always `Auto`, the whole area. */
export function pageSizesOf(unit: Unit): readonly PageSize[] {
  const area = areaOf(unit);
  return pageSizes.filter(size => {
    if (size === 'Auto' || !area) return size === 'Auto';
    const { width, height } = millimetres[size];
    return width <= area.width * MM_PER_INCH + TOLERANCE_MM && height <= area.height * MM_PER_INCH + TOLERANCE_MM;
  });
}
