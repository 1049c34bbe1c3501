/** What a source can do, read with the feeder on and off, because its other capabilities depend on that. */
import { ScanError } from '@platen/core/plugin';
import type { Capabilities, ColorMode, Device, Source, SourceCapabilities } from '@platen/core/plugin';
import { adjustmentsOf } from './adjustments.js';
import { areaLimitsOf } from './area.js';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { PT } from '../protocol/constants.js';
import { choicesOf } from '../protocol/containers.js';
import type { DataSource } from '../source/dataSource.js';
import { driverOptionsOf } from './driverOptions.js';
import { areaOf, pageSizesOf, resolutionsOf, takeUnits } from './geometry.js';
import { levelsOf } from './levels.js';
import { reservedOptions } from './standardOptions.js';

export interface Abilities {
  readonly capabilities: Capabilities;
  /** `continuous` for a source that scans ahead (and can be stopped), or that is enabled once for a stack. */
  readonly feeding: Device['feeding'];
}

export const pixelTypes: Readonly<Record<ColorMode, number>> = {
  Color: PT.RGB,
  Grayscale: PT.GRAY,
  BlackAndWhite: PT.BW,
};

/**
 * Moves no paper.
 * @param batch enable the source once for a stack, even if it does not scan ahead
 * @throws ScanError `unsupported` for a source that can be used only in its own window, or that scans no pages
 */
export async function readAbilities(
  dataSource: DataSource,
  negotiation: CapabilityNegotiation,
  name: string,
  batch: boolean,
): Promise<Abilities> {
  await negotiation.refresh();
  if ((await negotiation.current('UICONTROLLABLE')) === false) {
    const why = 'can be used only in a window of its own driver, which no web page can show';
    throw new ScanError('unsupported', `"${name}" ${why}.`);
  }
  const capabilities: Partial<Record<Source, SourceCapabilities>> = {};
  let feeding: Device['feeding'] = 'perSheet';
  for (const source of ['flatbed', 'feeder'] as const) {
    if (!(await takeSource(negotiation, source))) continue;
    const its = await sourceCapabilities(dataSource, negotiation, source, name);
    capabilities[source] = its;
    if (source === 'flatbed') continue;
    if ((await negotiation.set('AUTOSCAN', true)) || batch) feeding = 'continuous';
    // A source that scans ahead nevertheless, or one that is fed in batches, draws in sheets that nobody asked for.
    const counts = !batch && (feeding === 'perSheet' || (await negotiation.set('AUTOSCAN', false)));
    if (counts) capabilities.feeder = { ...its, controls: [...(its.controls ?? []), 'sheets'] };
  }
  if (!capabilities.feeder && !capabilities.flatbed) {
    throw new ScanError('driver-failed', `"${name}" accepts neither its feeder nor its flatbed.`);
  }
  return { capabilities, feeding };
}

/** Selects the feeder or the flatbed. @returns whether it is selected now */
export async function takeSource(negotiation: CapabilityNegotiation, source: Source): Promise<boolean> {
  const before = await negotiation.current('FEEDERENABLED');
  if (before === undefined) return source === 'flatbed';
  if (before === (source === 'feeder')) return true;
  const taken = await negotiation.set('FEEDERENABLED', source === 'feeder');
  await negotiation.refresh();
  return taken;
}

async function sourceCapabilities(
  dataSource: DataSource,
  negotiation: CapabilityNegotiation,
  source: Source,
  name: string,
): Promise<SourceCapabilities> {
  const unit = await takeUnits(negotiation);
  const resolutions = resolutionsOf(await negotiation.get('XRESOLUTION'), unit);
  const colorModes = await colorModesOf(negotiation);
  if (resolutions.length === 0 || colorModes.length === 0) {
    const missing = resolutions.length === 0 ? 'resolution' : 'colour';
    const why = `names no ${missing} that Platen knows: it is not a document scanner`;
    throw new ScanError('unsupported', `"${name}" ${why}.`);
  }
  const limits = await areaLimitsOf(dataSource, negotiation, unit);
  const levels = await levelsOf(negotiation, colorModes);
  const driverOptions = await driverOptionsOf(negotiation);
  const duplex = source === 'feeder' && (await hasDuplex(negotiation));
  return {
    resolutions,
    colorModes,
    duplex,
    pageSizes: pageSizesOf(await negotiation.get('SUPPORTEDSIZES'), await areaOf(negotiation, unit)),
    adjustments: await adjustmentsOf(negotiation, duplex),
    ...(limits && { area: limits }),
    controls: [...(limits ? (['area'] as const) : []), ...levels],
    ...(driverOptions.length > 0 && { driverOptions }),
    reservedOptions,
  };
}

async function colorModesOf(negotiation: CapabilityNegotiation): Promise<readonly ColorMode[]> {
  const offered = await negotiation.get('PIXELTYPE');
  const types = offered ? choicesOf(offered).map(Number) : [];
  return (Object.keys(pixelTypes) as ColorMode[]).filter(mode => types.includes(pixelTypes[mode]));
}

/** Found by trying: CAP_DUPLEX may report a duplex unit that this scanner lacks. */
async function hasDuplex(negotiation: CapabilityNegotiation): Promise<boolean> {
  if ((await negotiation.current('DUPLEX')) === 0) return false;
  const takes = await negotiation.set('DUPLEXENABLED', true);
  await negotiation.set('DUPLEXENABLED', false);
  return takes;
}
