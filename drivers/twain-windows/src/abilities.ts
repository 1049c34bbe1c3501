/** What a source can do, asked with the feeder on and off: the rest of its capabilities follows from that. */
import { ScanError, type Capabilities, type ColorMode, type Device, type Source, type SourceCapabilities } from '@platen/core/plugin';
import { PT } from './capabilityCodes.js';
import { choicesOf } from './containers.js';
import { adjustmentsOf } from './hardware.js';
import type { Negotiation } from './negotiation.js';
import { areaOf, pageSizesOf, resolutionsOf, takeUnits } from './paper.js';

export interface Abilities {
  readonly capabilities: Capabilities;
  /** `continuous` where the source scans ahead and can be told to stop feeding, and where it is to be enabled once for a stack. */
  readonly feeding: Device['feeding'];
}

export const pixelTypes: Readonly<Record<ColorMode, number>> = { Color: PT.RGB, Grayscale: PT.GRAY, BlackAndWhite: PT.BW };

/** Moves no paper. @param batch it is to be enabled once for a stack, whether it scans ahead or not @throws ScanError `unsupported` for a source that wants to be used in its own window, or that scans no pages */
export async function readAbilities(talk: Negotiation, name: string, batch: boolean): Promise<Abilities> {
  await talk.refresh();
  if ((await talk.current('UICONTROLLABLE')) === false) {
    throw new ScanError('unsupported', `"${name}" can be used only in a window of its own driver, which no web page can show.`);
  }
  const capabilities: Partial<Record<Source, SourceCapabilities>> = {};
  let feeding: Device['feeding'] = 'perSheet';
  for (const source of ['flatbed', 'feeder'] as const) {
    if (!(await takeSource(talk, source))) continue;
    capabilities[source] = await sourceCapabilities(talk, source, name);
    if (source === 'feeder' && ((await talk.set('AUTOSCAN', true)) || batch)) feeding = 'continuous';
  }
  if (!capabilities.feeder && !capabilities.flatbed) throw new ScanError('driver-failed', `"${name}" takes neither its feeder nor its glass.`);
  return { capabilities, feeding };
}

/** @returns whether this is where the paper comes from now */
export async function takeSource(talk: Negotiation, source: Source): Promise<boolean> {
  const before = await talk.current('FEEDERENABLED');
  if (before === undefined) return source === 'flatbed';
  if (before === (source === 'feeder')) return true;
  const taken = await talk.set('FEEDERENABLED', source === 'feeder');
  await talk.refresh();
  return taken;
}

async function sourceCapabilities(talk: Negotiation, source: Source, name: string): Promise<SourceCapabilities> {
  const unit = await takeUnits(talk);
  const resolutions = resolutionsOf(await talk.get('XRESOLUTION'), unit);
  const colorModes = await colorModesOf(talk);
  if (resolutions.length === 0 || colorModes.length === 0) {
    throw new ScanError('unsupported', `"${name}" names no ${resolutions.length === 0 ? 'resolution' : 'colour'} that Platen knows: it is no scanner of documents.`);
  }
  const duplex = source === 'feeder' && (await hasDuplex(talk));
  return {
    resolutions,
    colorModes,
    duplex,
    pageSizes: pageSizesOf(await talk.get('SUPPORTEDSIZES'), await areaOf(talk, unit)),
    adjustments: await adjustmentsOf(talk, duplex),
  };
}

async function colorModesOf(talk: Negotiation): Promise<readonly ColorMode[]> {
  const offered = await talk.get('PIXELTYPE');
  const types = offered ? choicesOf(offered).map(Number) : [];
  return (Object.keys(pixelTypes) as ColorMode[]).filter(mode => types.includes(pixelTypes[mode]));
}

/** By trying: CAP_DUPLEX is what the scanner may have, with a part that this one lacks. */
async function hasDuplex(talk: Negotiation): Promise<boolean> {
  if ((await talk.current('DUPLEX')) === 0) return false;
  const takes = await talk.set('DUPLEXENABLED', true);
  await talk.set('DUPLEXENABLED', false);
  return takes;
}
