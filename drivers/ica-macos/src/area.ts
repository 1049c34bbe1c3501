/** The area of a scan, as the scan area of a functional unit. Its origin is taken to be the top left corner. */
import { type Area, type AreaLimits, type Page, pixelsAt, ScanError } from '@platen/core/plugin';
import { areaOf, MM_PER_INCH, perInch, type Unit } from './unit.js';

/** One pixel at 300 dpi, the contract's tolerance. */
const TOLERANCE_INCH = 1 / 300;

/** In the unit's measure. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Millimetres; undefined if the measure is not a length. */
export function areaLimitsOf(unit: Unit): AreaLimits | undefined {
  const whole = areaOf(unit);
  return whole && { width: toMm(whole.width), height: toMm(whole.height) };
}

/** Down to hundredths, and not below a value that only its conversion to inches made smaller. */
function toMm(inches: number): number {
  return Math.floor(Math.round(inches * MM_PER_INCH * 1000) / 10) / 100;
}

export function rectangleOf(area: Area, { unitOfMeasure }: Unit): Rectangle {
  const [x, y, width, height] = [area.x, area.y, area.width, area.height].map(
    mm => (mm / MM_PER_INCH) * (perInch[unitOfMeasure] ?? 1),
  ) as [number, number, number, number];
  return { x, y, width, height };
}

/** @throws ScanError `unsupported` if the unit's scan area does not hold the one that was set */
export function assertTaken(
  taken: Readonly<Record<string, unknown>>,
  wanted: Rectangle,
  { unitOfMeasure }: Unit,
): void {
  const off = TOLERANCE_INCH * (perInch[unitOfMeasure] ?? 1);
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map(name => Number(taken[name])) as [
    number,
    number,
    number,
    number,
  ];
  const begins = Math.abs(x - wanted.x) <= off && Math.abs(y - wanted.y) <= off;
  if (begins && x + width >= wanted.x + wanted.width - off && y + height >= wanted.y + wanted.height - off) return;
  throw new ScanError('unsupported', 'The scanner does not accept this area.');
}

/** Cuts off columns and rows beyond the area, and says `area` if the page then has its size. Not for pages as files. */
export function cutToArea(page: Page, area: Area | undefined): Page {
  if (!area || page.kind !== 'raw') return page;
  const [wide, high] = [pixelsAt(page.dpi, area.width), pixelsAt(page.dpi, area.height)];
  const off = Math.max(1, page.dpi * TOLERANCE_INCH);
  const [width, height] = [Math.min(page.width, wide), Math.min(page.height, high)];
  const cut = { ...page, width, height, data: page.data.subarray(0, height * page.stride) };
  const hasSize = Math.abs(wide - cut.width) <= off && Math.abs(high - cut.height) <= off;
  return hasSize ? { ...cut, adjusted: [...(page.adjusted ?? []), 'area'] } : cut;
}
