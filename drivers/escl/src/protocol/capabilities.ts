/** The contract's Capabilities from a device's ScannerCapabilities. */
import { colorModes, millimetres, pageSizes } from '@platen/core/driver';
import type { Area, AreaLimits, Capabilities, ColorMode, PageSize, SourceCapabilities } from '@platen/core/plugin';
import { driverOptionsOf, levelsOf, reservedOptions } from './supportedSettings.js';
import type { EsclMode, InputCaps, ScannerCapabilities } from './scannerCapabilities.js';

const UNITS_PER_INCH = 300;
const MM_PER_INCH = 25.4;
/** Of a product of fractions. */
const ROUNDING = 1e-6;
/** Some devices state a width a little below the paper that they take: 2540 units for Letter's 2550. */
const TOLERANCE_UNITS = 12;
/** The steps that a range is reduced to. */
const usual = [75, 100, 150, 200, 240, 300, 400, 600, 1200];
const MIN_DPI = 50;
/** Higher resolutions are interpolated, or not for documents. */
const MAX_DPI = 1200;
/** For a device that states no size: the width of Letter, the height of Legal. */
const DEFAULT_WIDTH = 2550;
const DEFAULT_HEIGHT = 4200;

export const esclModes: Readonly<Record<ColorMode, EsclMode>> = {
  Color: 'RGB24',
  Grayscale: 'Grayscale8',
  BlackAndWhite: 'BlackAndWhite1',
};
/** Formats with one bit per pixel; JPEG has none. */
const bilevelFormats = ['image/png', 'image/tiff'] as const;

/** @param countsSheets the feeder feeds a sheet only when its page is fetched */
export function capabilitiesOf(capabilities: ScannerCapabilities, countsSheets = false): Capabilities {
  const { platen, simplex, duplex } = capabilities;
  const feeder = simplex ?? duplex;
  const sheets = countsSheets ? (['sheets'] as const) : [];
  return {
    ...(feeder && { feeder: sourceOf(capabilities, feeder, duplex !== undefined, sheets) }),
    ...(platen && { flatbed: sourceOf(capabilities, platen, false, []) }),
  };
}

function sourceOf(
  capabilities: ScannerCapabilities,
  caps: InputCaps,
  duplex: boolean,
  sheets: readonly 'sheets'[],
): SourceCapabilities {
  const modes = modesOf(caps);
  const area = areaLimits(caps);
  const levels = levelsOf(capabilities).filter(each => each !== 'threshold' || modes.includes('BlackAndWhite'));
  const driverOptions = driverOptionsOf(capabilities, caps);
  return {
    resolutions: resolutionsOf(caps),
    colorModes: modes,
    duplex,
    pageSizes: pageSizes.filter(size => fits(size, caps)),
    adjustments: [],
    ...(area && { area }),
    controls: [...(area ? (['area'] as const) : []), ...levels, ...sheets],
    ...(driverOptions.length > 0 && { driverOptions }),
    reservedOptions,
  };
}

/** Undefined for a device that states no size. */
function areaLimits({ maxWidth, maxHeight, minWidth, minHeight }: InputCaps): AreaLimits | undefined {
  if (!maxWidth || !maxHeight) return undefined;
  // Towards the inside, so that a limit is never beyond the device's.
  const most = (units: number) => Math.floor((units / UNITS_PER_INCH) * MM_PER_INCH * 100 + ROUNDING) / 100;
  const least = (units: number) => Math.ceil((units / UNITS_PER_INCH) * MM_PER_INCH * 100 - ROUNDING) / 100;
  return {
    width: most(maxWidth),
    height: most(maxHeight),
    ...(minWidth > 0 && { minWidth: least(minWidth) }),
    ...(minHeight > 0 && { minHeight: least(minHeight) }),
  };
}

/** The modes that the device offers; colour if it reports no known mode. */
function modesOf(caps: InputCaps): readonly ColorMode[] {
  const found = colorModes.filter(mode => caps.modes.includes(esclModes[mode]) && formatOf(caps, mode) !== undefined);
  return found.length > 0 ? found : ['Color'];
}

/**
 * The format to request; undefined if the device has none that Platen accepts for the mode.
 * TIFF is not preferred for `lossless`: it may contain a JPEG.
 */
export function formatOf(
  caps: InputCaps,
  mode: ColorMode,
  lossless = false,
): 'image/jpeg' | 'image/png' | 'image/tiff' | undefined {
  if (mode === 'BlackAndWhite') return bilevelFormats.find(each => caps.formats.includes(each));
  if (lossless && caps.formats.includes('image/png')) return 'image/png';
  // The specification requires JPEG of every device, also of one that lists no formats.
  return caps.formats.length === 0 || caps.formats.includes('image/jpeg')
    ? 'image/jpeg'
    : bilevelFormats.find(each => caps.formats.includes(each));
}

function resolutionsOf({ resolutions: { list, range } }: InputCaps): readonly number[] {
  const within = list.filter(dpi => dpi >= MIN_DPI && dpi <= MAX_DPI);
  if (within.length > 0) return within;
  if (list.length > 0) return list;
  if (!range) return [300];
  const steps = usual.filter(dpi => dpi >= range.min && dpi <= range.max && (dpi - range.min) % range.step === 0);
  return steps.length > 0 ? steps : [range.max];
}

/** In 1/300 inch, from the upper left corner of the scan area. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param justification the position of the sheet; `Left` on the flatbed */
export function regionOf(caps: InputCaps, size: PageSize, justification: ScannerCapabilities['justification']): Region {
  const { width: widest, height: highest } = areaOf(caps);
  const wanted = size === 'Auto' ? { width: widest, height: highest } : unitsOf(size);
  const width = Math.min(wanted.width, widest);
  const height = Math.min(wanted.height, highest);
  const spare = widest - width;
  const x = justification === 'Center' ? Math.floor(spare / 2) : justification === 'Right' ? spare : 0;
  return { x, y: 0, width, height };
}

/** Of an area: within a unit, from the corner of everything that the source can scan; not less than a pixel. */
export function regionOfArea(caps: InputCaps, area: Area, dpi: number): Region {
  const units = (mm: number) => Math.round((mm / MM_PER_INCH) * UNITS_PER_INCH);
  const most = areaOf(caps);
  const length = (mm: number) => Math.max(units(mm), Math.ceil(UNITS_PER_INCH / dpi));
  const [width, height] = [Math.min(length(area.width), most.width), Math.min(length(area.height), most.height)];
  return {
    x: Math.min(units(area.x), most.width - width),
    y: Math.min(units(area.y), most.height - height),
    width,
    height,
  };
}

export function pixelsOf(units: number, dpi: number): number {
  return Math.round((units * dpi) / UNITS_PER_INCH);
}

function areaOf({ maxWidth, maxHeight }: InputCaps) {
  return { width: maxWidth || DEFAULT_WIDTH, height: maxHeight || DEFAULT_HEIGHT };
}

function unitsOf(size: Exclude<PageSize, 'Auto'>) {
  const { width, height } = millimetres[size];
  return {
    width: Math.round((width / MM_PER_INCH) * UNITS_PER_INCH),
    height: Math.round((height / MM_PER_INCH) * UNITS_PER_INCH),
  };
}

function fits(size: PageSize, caps: InputCaps): boolean {
  if (size === 'Auto') return true;
  const area = areaOf(caps);
  const { width, height } = unitsOf(size);
  return width <= area.width + TOLERANCE_UNITS && height <= area.height + TOLERANCE_UNITS;
}
