/** Sets a source's capabilities for an order; first those on which others depend. */
import { assertPixels, checkDriverOptions } from '@platen/core/driver';
import { ScanError } from '@platen/core/plugin';
import type { Area, PageFacts, PageWork, ScanOrder } from '@platen/core/plugin';
import { pixelTypes, takeSource, type Abilities } from '../capabilities/abilities.js';
import { adjust } from '../capabilities/adjustments.js';
import { takeArea } from '../capabilities/area.js';
import type { CapabilityNegotiation } from '../capabilities/capabilityNegotiation.js';
import { BO, DE, KEEP_BLANK_PAGES, MSG, NONE, PF, PT, SX } from '../protocol/constants.js';
import { choicesOf, currentOf } from '../protocol/containers.js';
import type { DataSource } from '../source/dataSource.js';
import { takeDriverOptions } from '../capabilities/driverOptions.js';
import { expectedSize, takeSize, takeUnits } from '../capabilities/geometry.js';
import { takeLevels } from '../capabilities/levels.js';
import type { TemporarySettings } from '../capabilities/temporarySettings.js';

/** A limit for a source that never runs out of device events. */
const MOST_EVENTS = 16;

/** What the source will really do. */
export interface Prepared {
  readonly sides: readonly PageFacts['side'][];
  readonly dpi: number;
  /** The source's units per inch. */
  readonly unit: number;
  readonly mechanism: 'native' | 'strips';
  /** For strips: a zero is white. */
  readonly vanilla: boolean;
  /** For strips: the lowest bit is the first pixel. */
  readonly lowestFirst: boolean;
  readonly adjusted: Readonly<Record<PageFacts['side'], readonly PageWork[]>>;
  /** The pages show this, or a little more to the right and below. */
  readonly area?: Area;
  /** The source is enabled once and feeds at its own speed; else it is enabled for each sheet. */
  readonly continuous: boolean;
  /** CAP_FEEDERLOADED reports paper. */
  readonly sensesPaper: boolean;
}

export interface Preparation {
  readonly dataSource: DataSource;
  readonly negotiation: CapabilityNegotiation;
  readonly temporary: TemporarySettings;
  readonly abilities: Abilities;
  readonly order: ScanOrder;
  readonly name: string;
  /** The source is enabled once for a stack, even if it does not scan ahead. */
  readonly batch: boolean;
}

/**
 * Moves no paper.
 * @throws ScanError `unsupported` for a source that is not available, a control or an option that the source refuses, or
 *   a page that is too large
 */
export async function prepare(preparation: Preparation): Promise<Prepared> {
  const { dataSource, negotiation, temporary, abilities, order, name } = preparation;
  const { source, area } = order;
  const { driverOptions = [] } = abilities.capabilities[source] ?? {};
  checkDriverOptions(driverOptions, order.driverOptions);
  const isFeeder = source === 'feeder';
  // A source that chooses for itself scans the flatbed when the feeder is empty, once for each sheet to feed.
  await negotiation.set('AUTOMATICSENSEMEDIUM', false);
  if (!(await takeSource(negotiation, source))) {
    throw new ScanError('unsupported', `"${name}" does not accept its ${source}.`);
  }
  // A window of the source, for progress or errors, would wait for a person who may not be there.
  await negotiation.set('INDICATORS', false);
  const continuous = isFeeder && (await takeFeeding(preparation));
  const both = isFeeder && (await takeDuplex(negotiation, order.duplexMode !== 'Simplex'));
  await takePixels(negotiation, order);
  const mechanism = await takeMechanism(negotiation, order.transferMode, name);
  const unit = await takeUnits(negotiation);
  const dpi = await takeResolution(negotiation, order.resolution, unit, name);
  if (area) await takeArea(dataSource, negotiation, area, unit, name);
  else await takeSize(dataSource, negotiation, order.pageSize, unit);
  const detects = !area && order.pageSize === 'Auto' && !!abilities.capabilities[source]?.adjustments.includes('crop');
  // A detected border would replace the area.
  const wanted = order.adjustments.filter(each => !(area && each === 'crop'));
  const adjusted = await adjust(negotiation, detects ? [...wanted, 'crop'] : wanted);
  const levels = await takeLevels(negotiation, temporary, order, name);
  await takeDriverOptions(negotiation, temporary, driverOptions, order.driverOptions ?? {}, name);
  const expected = await expectedSize(dataSource, unit, dpi);
  if (expected && !adjusted.front.includes('crop')) assertPixels(expected.width, expected.height, order.maxPixels);
  // TWAIN counts sides. A source that is enabled for the sides of one sheet does not feed a second sheet.
  await negotiation.set('XFERCOUNT', continuous ? -1 : both ? 2 : 1);
  await subscribeToDeviceEvents(dataSource, negotiation);
  return {
    dpi,
    unit,
    mechanism,
    continuous,
    adjusted: { front: [...adjusted.front, ...levels], back: [...adjusted.back, ...levels] },
    ...(area && { area }),
    sides: both ? ['front', 'back'] : ['front'],
    vanilla: (await negotiation.current('PIXELFLAVOR')) === PF.VANILLA,
    lowestFirst: (await negotiation.current('BITORDER')) === BO.LSBFIRST,
    sensesPaper: isFeeder && (await sensesPaper(negotiation)),
  };
}

export async function sensesPaper(negotiation: CapabilityNegotiation): Promise<boolean> {
  if ((await negotiation.current('PAPERDETECTABLE')) === false) return false;
  return (await negotiation.current('FEEDERLOADED')) !== undefined;
}

/** @returns whether the source is enabled once and feeds at its own speed */
async function takeFeeding({ negotiation, abilities, order, batch }: Preparation): Promise<boolean> {
  // Not all sources that scan ahead stop on request, so a limited number of sheets is fed one by one.
  const once = abilities.feeding === 'continuous' && order.sheets === undefined;
  const ahead = once && (await negotiation.set('AUTOSCAN', true));
  if (!ahead) await negotiation.set('AUTOSCAN', false);
  await negotiation.set('AUTOFEED', true);
  await negotiation.set('JOBCONTROL', NONE);
  return ahead || (once && batch);
}

/** @returns whether both sides are scanned */
async function takeDuplex(negotiation: CapabilityNegotiation, duplex: boolean): Promise<boolean> {
  const taken = await negotiation.set('DUPLEXENABLED', duplex);
  const both = taken ? duplex : (await negotiation.current('DUPLEXENABLED')) === true;
  // If a blank back were discarded, the next front would take its place.
  if (both) await negotiation.set('AUTODISCARDBLANKPAGES', KEEP_BLANK_PAGES);
  return both;
}

async function takePixels(negotiation: CapabilityNegotiation, { colorMode }: ScanOrder): Promise<void> {
  const depths: Readonly<Record<number, number>> = { [PT.BW]: 1, [PT.GRAY]: 8, [PT.RGB]: 24 };
  for (const mode of [colorMode, 'Color', 'Grayscale', 'BlackAndWhite'] as const) {
    if (await negotiation.set('PIXELTYPE', pixelTypes[mode])) break;
  }
  const depth = depths[Number(await negotiation.current('PIXELTYPE'))];
  if (depth === undefined || (await negotiation.set('BITDEPTH', depth))) return;
  // A few sources count bits per sample.
  if (depth === 24) await negotiation.set('BITDEPTH', 8);
}

async function takeMechanism(
  negotiation: CapabilityNegotiation,
  mode: ScanOrder['transferMode'],
  name: string,
): Promise<Prepared['mechanism']> {
  const preset = mode === 'Auto' ? await negotiation.default('XFERMECH') : undefined;
  await negotiation.set('XFERMECH', mode === 'Buffered' ? SX.MEMORY : (preset ?? SX.NATIVE));
  let taken = await negotiation.current('XFERMECH');
  if (taken !== SX.NATIVE && taken !== SX.MEMORY) {
    // Every source must have both, but its default may be a file.
    const found = (await negotiation.set('XFERMECH', SX.NATIVE)) || (await negotiation.set('XFERMECH', SX.MEMORY));
    taken = found ? await negotiation.current('XFERMECH') : undefined;
  }
  if (taken === undefined) {
    throw new ScanError('unsupported', `"${name}" transfers its pages neither whole nor in strips.`);
  }
  await negotiation.set('COMPRESSION', NONE);
  // It is defined for strips of 1-bit pixels. Otherwise it stays at its default, because some sources treat it as the
  // order of colours, in both transfers.
  const isBilevel = taken === SX.MEMORY && (await negotiation.current('PIXELTYPE')) === PT.BW;
  if (isBilevel) await negotiation.set('BITORDER', BO.MSBFIRST);
  else await negotiation.reset('BITORDER');
  if (taken === SX.NATIVE) return 'native';
  await negotiation.set('PLANARCHUNKY', NONE);
  await negotiation.set('PIXELFLAVOR', PF.CHOCOLATE);
  await negotiation.set('TILES', false);
  return 'strips';
}

async function takeResolution(
  negotiation: CapabilityNegotiation,
  wish: number,
  unit: number,
  name: string,
): Promise<number> {
  const container = await negotiation.get('XRESOLUTION');
  const choices = container?.kind === 'list' ? choicesOf(container).map(Number) : [];
  const distance = (each: number) => Math.abs(each - wish / unit);
  const nearer = (best: number, each: number) => (distance(each) < distance(best) ? each : best);
  const wanted = choices.reduce(nearer, choices[0] ?? wish / unit);
  await negotiation.set('XRESOLUTION', wanted);
  await negotiation.set('YRESOLUTION', wanted);
  const x = Number((await negotiation.current('XRESOLUTION')) ?? wanted);
  const y = Number((await negotiation.current('YRESOLUTION')) ?? x);
  if (Math.abs(x - y) > x / 100) {
    const dots = `${x} dpi in one direction and ${y} dpi in the other`;
    throw new ScanError('unsupported', `"${name}" scans ${dots}. Choose another resolution.`);
  }
  return rounded(x * unit);
}

/** 200 dpi in fixed-point centimetres are 199.99. */
export function rounded(dpi: number): number {
  return Math.abs(dpi - Math.round(dpi)) < 0.1 ? Math.round(dpi) : dpi;
}

/** Some sources report a jam only as a device event, not during the transfer. */
async function subscribeToDeviceEvents(dataSource: DataSource, negotiation: CapabilityNegotiation): Promise<void> {
  const offered = await negotiation.get('DEVICEEVENT');
  if (!offered) return;
  // Events are queued until they are read: drop those of an earlier scan.
  for (let i = 0; i < MOST_EVENTS && (await dataSource.deviceEvent()) !== undefined; i++);
  const choices = choicesOf(offered);
  const offersAll = choices.length === 0 || currentOf(offered) !== undefined;
  const items = Object.values(DE).filter(each => offersAll || choices.includes(each));
  if (items.length === 0) return;
  await dataSource.capability(MSG.SET, 'DEVICEEVENT', { kind: 'array', type: offered.type, items });
}
