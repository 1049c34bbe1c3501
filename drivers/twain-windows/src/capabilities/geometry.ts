/** Page sizes and resolutions: reading a source's choices, and setting them. */
import { millimetres, pageSizes } from '@platen/core/driver';
import type { PageSize } from '@platen/core/plugin';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { unlessRefused } from '../protocol/conditions.js';
import { DAT, DG, INCHES, MSG, perInch } from '../protocol/constants.js';
import { choicesOf, type Container } from '../protocol/containers.js';
import type { DataSource } from '../source/dataSource.js';
import type { Frame } from '../protocol/itemTypes.js';
import { readImageLayout, sizes, writeImageLayout } from '../protocol/structures.js';

export const MM_PER_INCH = 25.4;
/** Sources report an area slightly narrower than the paper that they are made for. */
const TOLERANCE_INCH = 0.05;
/** The steps listed for a range. */
const usual = [75, 100, 150, 200, 240, 300, 400, 600, 1200];
/** The limits for documents: an A4 page at 1200 dpi has 139 million pixels. */
const [LEAST_DPI, MOST_DPI] = [50, 1200];

/** ICAP_SUPPORTEDSIZES. */
export const supportedSizes: Readonly<Record<PageSize, number>> = {
  Auto: 0,
  A4: 1,
  B5: 2,
  Letter: 3,
  Legal: 4,
  A5: 5,
  Executive: 10,
  A3: 11,
  A6: 13,
};

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** Sets inches, if the source accepts them. @returns its units per inch */
export async function takeUnits(negotiation: CapabilityNegotiation): Promise<number> {
  await negotiation.set('UNITS', INCHES);
  return perInch[Number(await negotiation.current('UNITS'))] ?? 1;
}

/** Ascending integers: a list's values within limits, or the usual steps of a range. @param unit units per inch */
export function resolutionsOf(container: Container | undefined, unit: number): readonly number[] {
  if (!container) return [];
  if (container.kind === 'range') {
    const steps = usual.filter(dpi => isOnStep(container, dpi / unit));
    return steps.length > 0 ? steps : positive([container.max * unit]);
  }
  const all = positive(choicesOf(container).map(item => Number(item) * unit));
  const sane = all.filter(dpi => dpi >= LEAST_DPI && dpi <= MOST_DPI);
  return sane.length > 0 ? sane : all;
}

function positive(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers.map(Math.round))].filter(dpi => dpi > 0).sort((a, b) => a - b);
}

function isOnStep({ min, max, step }: Container & { kind: 'range' }, value: number): boolean {
  if (value < min || value > max) return false;
  const steps = (value - min) / step;
  return !(step > 0) || Math.abs(steps - Math.round(steps)) < 0.01;
}

/** The largest sheet, in inches; undefined if the source does not report it. */
export async function areaOf(negotiation: CapabilityNegotiation, unit: number): Promise<Area | undefined> {
  const width = Number(await negotiation.current('PHYSICALWIDTH')) / unit;
  const height = Number(await negotiation.current('PHYSICALHEIGHT')) / unit;
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** The sizes that the source names, those that fit, and `Auto`: the detected sheet, or the whole area. */
export function pageSizesOf(named: Container | undefined, area: Area | undefined): readonly PageSize[] {
  const choices = named && named.kind !== 'one' ? choicesOf(named) : [];
  return pageSizes.filter(size => {
    if (size === 'Auto' || choices.includes(supportedSizes[size])) return true;
    const { width, height } = inches(size);
    return area !== undefined && width <= area.width + TOLERANCE_INCH && height <= area.height + TOLERANCE_INCH;
  });
}

function inches(size: Exclude<PageSize, 'Auto'>): Area {
  const { width, height } = millimetres[size];
  return { width: width / MM_PER_INCH, height: height / MM_PER_INCH };
}

/**
 * Sets the size by name, so that a feeder that centres its paper knows the sheet's position; else as a frame
 * from the upper left corner.
 */
export async function takeSize(
  dataSource: DataSource,
  negotiation: CapabilityNegotiation,
  size: PageSize,
  unit: number,
): Promise<void> {
  await resetLayout(dataSource);
  // Some sources still report their former size, although the reset of the layout has changed it.
  if (await negotiation.set('SUPPORTEDSIZES', supportedSizes[size], 'again')) return;
  if (size === 'Auto') return;
  const { width, height } = inches(size);
  const area = await areaOf(negotiation, unit);
  const right = Math.min(width, area?.width ?? width) * unit;
  const bottom = Math.min(height, area?.height ?? height) * unit;
  await setLayout(dataSource, { left: 0, top: 0, right, bottom });
}

/** DAT_IMAGELAYOUT, in the source's unit; undefined if the source refuses. */
export async function readLayout(dataSource: DataSource): Promise<Frame | undefined> {
  const bytes = await layout(dataSource, MSG.GET, sizes.imageLayout);
  return bytes && readImageLayout(bytes).frame;
}

export async function setLayout(dataSource: DataSource, frame: Frame): Promise<void> {
  await layout(dataSource, MSG.SET, writeImageLayout({ frame, document: 1, page: 1, frameNumber: 1 }));
}

export async function resetLayout(dataSource: DataSource): Promise<void> {
  await layout(dataSource, MSG.RESET, sizes.imageLayout);
}

function layout(dataSource: DataSource, msg: number, bytes: number | Uint8Array): Promise<Uint8Array | undefined> {
  return dataSource.read('IMAGELAYOUT', DG.IMAGE, DAT.IMAGELAYOUT, msg, bytes).catch(unlessRefused);
}

/** The size of the next page in pixels; undefined if the source does not report it. */
export async function expectedSize(dataSource: DataSource, unit: number, dpi: number): Promise<Area | undefined> {
  const frame = await readLayout(dataSource);
  if (!frame) return undefined;
  const { left, top, right, bottom } = frame;
  const [width, height] = [right - left, bottom - top].map(side => Math.floor((side / unit) * dpi)) as [number, number];
  return width > 0 && height > 0 ? { width, height } : undefined;
}
