/** The area of a scan: what a source can be asked for, setting it as an image layout, and pages of exactly its size. */
import { type Area, type AreaLimits, pixelsAt, ScanError, type Source } from '@platen/core/plugin';
import { rowsOfArea } from '@platen/driver-kit';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import type { DataSource } from '../source/dataSource.js';
import { areaOf, MM_PER_INCH, readLayout, resetLayout, setLayout, supportedSizes } from './geometry.js';
import type { Frame } from '../protocol/itemTypes.js';
import type { TransferredPage } from '../images/dib.js';

/** One pixel at 300 dpi, the contract's tolerance. */
const TOLERANCE_INCH = 1 / 300;

/** Millimetres; undefined if the source does not report its size, or takes another frame than the one that is set. */
export async function areaLimitsOf(
  dataSource: DataSource,
  negotiation: CapabilityNegotiation,
  unit: number,
): Promise<AreaLimits | undefined> {
  const whole = await areaOf(negotiation, unit);
  if (!whole) return undefined;
  const { width, height } = whole;
  const [left, top] = [(width / 4) * unit, (height / 4) * unit];
  const trial = { left, top, right: 2 * left, bottom: 2 * top };
  await setLayout(dataSource, trial);
  const taken = await readLayout(dataSource);
  await resetLayout(dataSource);
  if (!taken || !holds(taken, trial, unit)) return undefined;
  const minWidth = toMm(Number(await negotiation.current('MINIMUMWIDTH')) / unit, Math.ceil);
  const minHeight = toMm(Number(await negotiation.current('MINIMUMHEIGHT')) / unit, Math.ceil);
  return {
    width: toMm(width, Math.floor),
    height: toMm(height, Math.floor),
    ...(minWidth > 0 && { minWidth }),
    ...(minHeight > 0 && { minHeight }),
  };
}

/** To hundredths; a fixed-point number of inches is slightly off. */
function toMm(inches: number, round: (value: number) => number): number {
  return round(Math.round(inches * MM_PER_INCH * 1000) / 10) / 100;
}

/** @throws ScanError `unsupported` if the source's frame does not hold the area */
export async function takeArea(
  dataSource: DataSource,
  negotiation: CapabilityNegotiation,
  area: Area,
  unit: number,
  name: string,
): Promise<void> {
  await resetLayout(dataSource);
  // A named size goes before the layout in some sources.
  await negotiation.set('SUPPORTEDSIZES', supportedSizes.Auto, 'again');
  const wanted = frameOf(area, unit);
  await setLayout(dataSource, wanted);
  const taken = await readLayout(dataSource);
  if (taken && holds(taken, wanted, unit)) return;
  const size = `${area.width} x ${area.height} mm at ${area.x}, ${area.y} mm`;
  throw new ScanError('unsupported', `"${name}" does not accept the area of ${size}.`);
}

function frameOf({ x, y, width, height }: Area, unit: number): Frame {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(mm => (mm / MM_PER_INCH) * unit) as [
    number,
    number,
    number,
    number,
  ];
  return { left, top, right, bottom };
}

/** Begins at the same place and is not smaller: sources widen a frame to whole bytes or lines of their sensor. */
function holds(taken: Frame, wanted: Frame, unit: number): boolean {
  const off = TOLERANCE_INCH * unit;
  const begins = Math.abs(taken.left - wanted.left) <= off && Math.abs(taken.top - wanted.top) <= off;
  return begins && taken.right >= wanted.right - off && taken.bottom >= wanted.bottom - off;
}

/** Of exactly the area's size, if the page is large enough or ends with its sheet. */
export function cutToArea(page: TransferredPage, { width, height }: Area, source: Source): TransferredPage {
  const size = { width: pixelsAt(page.dpi, width), height: pixelsAt(page.dpi, height) };
  return rowsOfArea(page, size, source === 'feeder');
}
