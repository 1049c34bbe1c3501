/** Page sizes and resolutions: what a source offers of them, and setting them. */
import { millimetres, pageSizes, type PageSize } from '@platen/core/plugin';
import { INCHES, perInch } from './capabilityCodes.js';
import { unlessRefused } from './conditions.js';
import { choicesOf, type Container } from './containers.js';
import type { Handle } from './handle.js';
import type { Negotiation } from './negotiation.js';
import { readImageLayout, sizes, writeImageLayout } from './structures.js';
import { DAT, DG, MSG } from './triplets.js';

const MM_PER_INCH = 25.4;
/** Sources are said to be a little narrower than the paper that they are made for. */
const TOLERANCE_INCH = 0.05;
/** What a range is reduced to. */
const usual = [75, 100, 150, 200, 240, 300, 400, 600, 1200];
/** Below and above is no document: 1200 dpi are 139 million pixels an A4 page. */
const [LEAST_DPI, MOST_DPI] = [50, 1200];

/** ICAP_SUPPORTEDSIZES. */
export const supportedSizes: Readonly<Record<PageSize, number>> = {
  Auto: 0, A4: 1, B5: 2, Letter: 3, Legal: 4, A5: 5, Executive: 10, A3: 11, A6: 13,
};

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** Inches, where the source takes them. @returns how many of its units are an inch */
export async function takeUnits(talk: Negotiation): Promise<number> {
  await talk.set('UNITS', INCHES);
  return perInch[Number(await talk.current('UNITS'))] ?? 1;
}

/** Ascending, whole numbers; all of a list within reason, the usual steps of a range. @param unit units in an inch */
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

/** The largest sheet, in inches; undefined where the source does not say. */
export async function areaOf(talk: Negotiation, unit: number): Promise<Area | undefined> {
  const width = Number(await talk.current('PHYSICALWIDTH')) / unit;
  const height = Number(await talk.current('PHYSICALHEIGHT')) / unit;
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Those that the source names, those that fit, and `Auto`: the detected sheet, or the whole area. */
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

/** By its name, which tells a feeder that centres its paper where the sheet lies; else as a frame from the upper left corner. */
export async function takeSize(handle: Handle, talk: Negotiation, size: PageSize, unit: number): Promise<void> {
  const layout = (msg: number, bytes: number | Uint8Array) => handle.read('IMAGELAYOUT', DG.IMAGE, DAT.IMAGELAYOUT, msg, bytes).catch(unlessRefused);
  await layout(MSG.RESET, sizes.imageLayout);
  // Not all say of their size that the layout's reset has changed it.
  if (await talk.set('SUPPORTEDSIZES', supportedSizes[size], 'again')) return;
  if (size === 'Auto') return;
  const { width, height } = inches(size);
  const area = await areaOf(talk, unit);
  const frame = { left: 0, top: 0, right: Math.min(width, area?.width ?? width) * unit, bottom: Math.min(height, area?.height ?? height) * unit };
  await layout(MSG.SET, writeImageLayout({ frame, document: 1, page: 1, frameNumber: 1 }));
}

/** How large the next page will be in pixels, by the source's word; undefined where it has none. */
export async function expectedSize(handle: Handle, unit: number, dpi: number): Promise<Area | undefined> {
  const bytes = await handle.read('IMAGELAYOUT', DG.IMAGE, DAT.IMAGELAYOUT, MSG.GET, sizes.imageLayout).catch(unlessRefused);
  if (!bytes) return undefined;
  const { left, top, right, bottom } = readImageLayout(bytes).frame;
  const [width, height] = [right - left, bottom - top].map(side => Math.floor((side / unit) * dpi)) as [number, number];
  return width > 0 && height > 0 ? { width, height } : undefined;
}
