/** Page sizes that fit the scan area, and resolutions that a backend accepts. */
import { millimetres, pageSizes } from '@platen/core/driver';
import type { Area, AreaLimits, PageSize } from '@platen/core/plugin';
import { largest, settable, smallest, type Choice } from './optionSet.js';
import type { Descriptor, Descriptors } from '../handle.js';

const MM_PER_INCH = 25.4;
/** Scanners report an area slightly smaller than their paper: 215 mm for Letter, 296.9 mm for A4. */
const TOLERANCE_MM = 1;
/** The resolutions listed for a range. */
const usual = [75, 100, 150, 200, 240, 300, 400, 600, 1200];
/** Higher ones are interpolated, or not for documents: an A4 page has 8.7 million pixels at 300 dpi, 139 million at 1200. */
const MOST_DPI = 1200;
const LEAST_DPI = 50;

/** Ascending whole numbers: a list's values within limits, or the usual steps of a range. */
export function resolutionsOf(descriptors: Descriptors): readonly number[] {
  const constraint = resolutionOption(descriptors)?.constraint;
  if (!constraint || 'strings' in constraint) return constraint === undefined ? [] : usual;
  const within = (dpi: number) => Number.isInteger(dpi) && dpi >= LEAST_DPI && dpi <= MOST_DPI;
  if ('words' in constraint) {
    const words = [...new Set(constraint.words.map(Math.round))].filter(dpi => dpi > 0).sort((a, b) => a - b);
    return words.some(within) ? words.filter(within) : words;
  }
  const { min, max, quant } = constraint;
  const onStep = (dpi: number) => quant <= 0 || Math.abs((dpi - min) / quant - Math.round((dpi - min) / quant)) < 1e-3;
  const steps = usual.filter(dpi => dpi >= min && dpi <= max && onStep(dpi));
  return steps.length > 0 ? steps : [Math.max(1, Math.round(max))];
}

/** Most backends have one option for both directions; a few have `x-resolution` only. */
export function resolutionOption(descriptors: Descriptors): Descriptor | undefined {
  return settable(descriptors, 'resolution') ?? settable(descriptors, 'x-resolution');
}

/** The scan area in millimetres; undefined if the backend does not report it. */
export function areaOf(
  descriptors: Descriptors,
  dpi: number,
): { readonly width: number; readonly height: number } | undefined {
  const span = (edge: string, start: string, paper: string): number | undefined => {
    // With a feeder that centres its paper, the corners' range ends at the last page size set: the paper may be larger.
    const sheet = limit(descriptors, paper, largest, dpi);
    if (sheet !== undefined) return sheet;
    const end = limit(descriptors, edge, largest, dpi);
    return end === undefined ? undefined : end - (limit(descriptors, start, smallest, dpi) ?? 0);
  };
  const width = span('br-x', 'tl-x', 'page-width');
  const height = span('br-y', 'tl-y', 'page-height');
  return width === undefined || height === undefined ? undefined : { width, height };
}

/** A page is in its place within a pixel at this resolution. */
const AREA_DPI = 300;

/** Whether the corners can be set to the pixel: with coarser steps, software cuts the area. */
export function takesAreas(descriptors: Descriptors): boolean {
  return ['tl-x', 'tl-y', 'br-x', 'br-y'].every(name => isFine(settable(descriptors, name)));
}

/** The limits of an area, whoever cuts it; undefined if they are unknown. */
export function areaLimits(descriptors: Descriptors, dpi: number): AreaLimits | undefined {
  const area = areaOf(descriptors, dpi);
  if (!area) return undefined;
  const least = (edge: string, start: string) =>
    (limit(descriptors, edge, smallest, dpi) ?? 0) - (limit(descriptors, start, smallest, dpi) ?? 0);
  const [minWidth, minHeight] = [hundredths(least('br-x', 'tl-x')), hundredths(least('br-y', 'tl-y'))];
  const [width, height] = [hundredths(area.width), hundredths(area.height)];
  if (width <= 0 || height <= 0) return undefined;
  return { width, height, ...(minWidth > 0 && { minWidth }), ...(minHeight > 0 && { minHeight }) };
}

/** A step of at most a pixel, at 300 dpi where it is given in millimetres. */
function isFine(option: Descriptor | undefined): boolean {
  if (!option?.constraint || !('quant' in option.constraint)) return false;
  const step = Math.max(option.constraint.quant, option.type === 'int' ? 1 : 0);
  return step <= (option.unit === 'pixel' ? 1 : MM_PER_INCH / AREA_DPI);
}

function hundredths(mm: number): number {
  return Math.round(mm * 100) / 100;
}

/** The sizes that fit; only `Auto`, the whole area, if the area is unknown. */
export function pageSizesOf(descriptors: Descriptors, dpi: number): readonly PageSize[] {
  const area = areaOf(descriptors, dpi);
  const fits = (size: PageSize): boolean => {
    if (size === 'Auto' || !area) return size === 'Auto';
    const { width, height } = millimetres[size];
    return width <= area.width + TOLERANCE_MM && height <= area.height + TOLERANCE_MM;
  };
  return pageSizes.filter(fits);
}

/** The paper size for a feeder that centres its paper: it determines the range of the corners. */
export function paperChoices(descriptors: Descriptors, size: PageSize, dpi: number): readonly Choice[] {
  const wish = size === 'Auto' ? undefined : millimetres[size];
  return [
    ...choice(descriptors, 'page-width', wish?.width ?? limit(descriptors, 'page-width', largest, dpi), dpi),
    ...choice(descriptors, 'page-height', wish?.height ?? limit(descriptors, 'page-height', largest, dpi), dpi),
  ];
}

/** The corners of the scan area, upper left first: in the other order, some backends move the other corner. */
export function cornerChoices(descriptors: Descriptors, wish: PageSize | Area, dpi: number): readonly Choice[] {
  const area = wish === 'Auto' ? undefined : typeof wish === 'string' ? { x: 0, y: 0, ...millimetres[wish] } : wish;
  const edges = (start: string, end: string, offset = 0, length?: number) => {
    const from = limit(descriptors, start, smallest, dpi);
    const to = length === undefined ? limit(descriptors, end, largest, dpi) : (from ?? 0) + offset + length;
    return {
      from: choice(descriptors, start, from === undefined ? undefined : from + offset, dpi),
      to: choice(descriptors, end, to, dpi),
    };
  };
  const across = edges('tl-x', 'br-x', area?.x, area?.width);
  const down = edges('tl-y', 'br-y', area?.y, area?.height);
  return [...across.from, ...down.from, ...across.to, ...down.to];
}

function choice(descriptors: Descriptors, name: string, mm: number | undefined, dpi: number): readonly Choice[] {
  const option = settable(descriptors, name);
  if (!option || mm === undefined) return [];
  return [{ name, value: option.unit === 'pixel' ? Math.round((mm / MM_PER_INCH) * dpi) : mm }];
}

function limit(
  descriptors: Descriptors,
  name: string,
  of: (option: Descriptor | undefined) => number | undefined,
  dpi: number,
): number | undefined {
  const option = settable(descriptors, name);
  return option && inMillimetres(option, of(option), dpi);
}

function inMillimetres(option: Descriptor, value: number | undefined, dpi: number): number | undefined {
  if (value === undefined) return undefined;
  return option.unit === 'pixel' ? (value / dpi) * MM_PER_INCH : value;
}
