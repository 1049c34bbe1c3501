/** Sets a source's capabilities for an order, in the field's order: what decides what others may be comes first. */
import { assertPixels, ScanError, type Adjustment, type PageFacts, type ScanOrder } from '@platen/core/plugin';
import { pixelTypes, takeSource, type Abilities } from './abilities.js';
import { BO, KEEP_BLANK_PAGES, NONE, PF, PT, SX } from './capabilityCodes.js';
import { choicesOf, currentOf } from './containers.js';
import type { Handle } from './handle.js';
import { adjust } from './hardware.js';
import type { Negotiation } from './negotiation.js';
import { expectedSize, takeSize, takeUnits } from './paper.js';
import { DE, MSG } from './triplets.js';

/** A source that never runs out of events keeps the last one. */
const MOST_EVENTS = 16;

/** What the source will do, whatever was asked for. */
export interface Prepared {
  readonly sides: readonly PageFacts['side'][];
  readonly dpi: number;
  /** How many of the source's units are an inch. */
  readonly unit: number;
  readonly mechanism: 'native' | 'strips';
  /** Of strips: a zero is white; the bit that comes first is the lowest. */
  readonly vanilla: boolean;
  readonly lowestFirst: boolean;
  readonly adjusted: Readonly<Record<PageFacts['side'], readonly Adjustment[]>>;
  /** It is enabled once, and feeds at its own speed; else once for each sheet. */
  readonly continuous: boolean;
  /** CAP_FEEDERLOADED says whether there is paper. */
  readonly sensesPaper: boolean;
}

export interface Preparation {
  readonly handle: Handle;
  readonly talk: Negotiation;
  readonly abilities: Abilities;
  readonly order: ScanOrder;
  readonly name: string;
  /** The source is enabled once for a stack, also where it does not scan ahead. */
  readonly batch: boolean;
}

/** Nothing moves yet. @throws ScanError `unsupported` where the source, or a page of this size, is not to be had */
export async function prepare({ handle, talk, abilities, order, name, batch }: Preparation): Promise<Prepared> {
  const { source } = order;
  const feeder = source === 'feeder';
  // A source that chooses for itself scans the glass when the feeder is empty, and again for each sheet that is asked of it.
  await talk.set('AUTOMATICSENSEMEDIUM', false);
  if (!(await takeSource(talk, source))) throw new ScanError('unsupported', `"${name}" does not take its ${feeder ? 'feeder' : 'glass'}.`);
  // A window of the source's own, for progress or for errors, waits for somebody who is not there.
  await talk.set('INDICATORS', false);
  // Sources that scan ahead do not all stop where they were told to: a given number of sheets is taken one by one.
  const once = feeder && abilities.feeding === 'continuous' && order.sheets === undefined;
  const ahead = once && (await talk.set('AUTOSCAN', true));
  const continuous = ahead || (once && batch);
  if (feeder) {
    if (!ahead) await talk.set('AUTOSCAN', false);
    await talk.set('AUTOFEED', true);
    await talk.set('JOBCONTROL', NONE);
  }
  const duplex = feeder && order.duplexMode !== 'Simplex';
  const both = feeder && ((await talk.set('DUPLEXENABLED', duplex)) ? duplex : (await talk.current('DUPLEXENABLED')) === true);
  // A back that is left out makes a front of the next page.
  if (both) await talk.set('AUTODISCARDBLANKPAGES', KEEP_BLANK_PAGES);
  await takePixels(talk, order);
  const mechanism = await takeMechanism(talk, order.transferMode, name);
  const unit = await takeUnits(talk);
  const dpi = await takeResolution(talk, order.resolution, unit, name);
  await takeSize(handle, talk, order.pageSize, unit);
  const detects = order.pageSize === 'Auto' && !!abilities.capabilities[source]?.adjustments.includes('crop');
  const adjusted = await adjust(talk, detects ? [...order.adjustments, 'crop'] : order.adjustments);
  const expected = await expectedSize(handle, unit, dpi);
  if (expected && !adjusted.front.includes('crop')) assertPixels(expected.width, expected.height, order.maxPixels);
  // TWAIN counts sides. A source that is enabled for those of one sheet does not feed a second.
  await talk.set('XFERCOUNT', continuous ? -1 : both ? 2 : 1);
  await listen(handle, talk);
  return {
    dpi, unit, mechanism, adjusted, continuous,
    sides: both ? ['front', 'back'] : ['front'],
    vanilla: (await talk.current('PIXELFLAVOR')) === PF.VANILLA,
    lowestFirst: (await talk.current('BITORDER')) === BO.LSBFIRST,
    sensesPaper: feeder && (await sensesPaper(talk)),
  };
}

export async function sensesPaper(talk: Negotiation): Promise<boolean> {
  const detects = await talk.current('PAPERDETECTABLE');
  return detects === false ? false : (await talk.current('FEEDERLOADED')) !== undefined;
}

async function takePixels(talk: Negotiation, { colorMode }: ScanOrder): Promise<void> {
  const depths: Readonly<Record<number, number>> = { [PT.BW]: 1, [PT.GRAY]: 8, [PT.RGB]: 24 };
  for (const mode of [colorMode, 'Color', 'Grayscale', 'BlackAndWhite'] as const) {
    if (await talk.set('PIXELTYPE', pixelTypes[mode])) break;
  }
  const depth = depths[Number(await talk.current('PIXELTYPE'))];
  // 48-bit colour has a depth of its own where there is one; a few sources count the bits of a sample.
  if (depth !== undefined && !(await talk.set('BITDEPTH', depth)) && depth === 24) await talk.set('BITDEPTH', 8);
}

async function takeMechanism(talk: Negotiation, mode: ScanOrder['transferMode'], name: string): Promise<Prepared['mechanism']> {
  if (mode === 'Buffered') await talk.set('XFERMECH', SX.MEMORY);
  else await talk.set('XFERMECH', mode === 'Auto' ? ((await talk.standard('XFERMECH')) ?? SX.NATIVE) : SX.NATIVE);
  let taken = await talk.current('XFERMECH');
  if (taken !== SX.NATIVE && taken !== SX.MEMORY) {
    // Every source must have both; neither is left where a file was somebody's default.
    const found = (await talk.set('XFERMECH', SX.NATIVE)) || (await talk.set('XFERMECH', SX.MEMORY));
    taken = found ? await talk.current('XFERMECH') : undefined;
  }
  if (taken === undefined) throw new ScanError('unsupported', `"${name}" hands over its pages neither whole nor in strips.`);
  await talk.set('COMPRESSION', NONE);
  // It means something for strips of 1-bit pixels. Some sources take it for the order of colours, in both transfers: it is left alone for these.
  if (taken === SX.MEMORY && (await talk.current('PIXELTYPE')) === PT.BW) await talk.set('BITORDER', BO.MSBFIRST);
  else await talk.putBack('BITORDER');
  if (taken === SX.NATIVE) return 'native';
  await talk.set('PLANARCHUNKY', NONE);
  await talk.set('PIXELFLAVOR', PF.CHOCOLATE);
  await talk.set('TILES', false);
  return 'strips';
}

async function takeResolution(talk: Negotiation, wish: number, unit: number, name: string): Promise<number> {
  const container = await talk.get('XRESOLUTION');
  const choices = container && container.kind === 'list' ? choicesOf(container).map(Number) : [];
  const wanted = choices.reduce((best, each) => (Math.abs(each - wish / unit) < Math.abs(best - wish / unit) ? each : best), choices[0] ?? wish / unit);
  await talk.set('XRESOLUTION', wanted);
  await talk.set('YRESOLUTION', wanted);
  const x = Number((await talk.current('XRESOLUTION')) ?? wanted);
  const y = Number((await talk.current('YRESOLUTION')) ?? x);
  if (Math.abs(x - y) > x / 100) throw new ScanError('unsupported', `"${name}" scans ${x} dots one way and ${y} the other: ask for another resolution.`);
  return rounded(x * unit);
}

/** 200 dpi in fixed-point centimetres are 199.99. */
export function rounded(dpi: number): number {
  return Math.abs(dpi - Math.round(dpi)) < 0.1 ? Math.round(dpi) : dpi;
}

/** A jam that raises no event of the transfer may be told as one of the device. */
async function listen(handle: Handle, talk: Negotiation): Promise<void> {
  const offered = await talk.get('DEVICEEVENT');
  if (!offered) return;
  // They are kept until somebody asks: what befell the scan before is not told of this one.
  for (let i = 0; i < MOST_EVENTS && (await handle.deviceEvent()) !== undefined; i++);
  const known = choicesOf(offered);
  const items = Object.values(DE).filter(each => known.length === 0 || currentOf(offered) !== undefined || known.includes(each));
  if (items.length > 0) await handle.cap(MSG.SET, 'DEVICEEVENT', { kind: 'array', type: offered.type, items });
}
