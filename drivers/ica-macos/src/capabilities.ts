/** What a scanner can do: selects each of its units in turn. */
import { ScanError } from '@platen/core/plugin';
import type { Capabilities, Source, SourceCapabilities } from '@platen/core/plugin';
import { areaLimitsOf } from './area.js';
import { driverOptionsOf } from './driverOptions.js';
import type { Handle } from './device/handle.js';
import type { IcaOptions } from './settings.js';
import { colorModesOf, pageSizesOf, resolutionsOf, unitTypes, type Unit } from './unit.js';

const sources: readonly Source[] = ['flatbed', 'feeder'];

/** Moves no paper. @throws ScanError `unsupported` if it is not a document scanner */
export async function askCapabilities(
  handle: Handle,
  name: string,
  transfer: IcaOptions['transfer'],
): Promise<Capabilities> {
  await handle.ensure();
  const { units } = await handle.describe();
  const capabilities: Partial<Record<Source, SourceCapabilities>> = {};
  for (const source of sources) {
    if (units.includes(unitTypes[source]))
      capabilities[source] = capabilitiesOf(
        await handle.select(unitTypes[source]),
        source,
        transfer,
        await driverOptionsOf(handle),
      );
  }
  if (Object.keys(capabilities).length === 0)
    throw new ScanError('unsupported', `"${name}" has neither a flatbed nor a feeder, as macOS reports it.`);
  return capabilities;
}

function capabilitiesOf(
  unit: Unit,
  source: Source,
  transfer: IcaOptions['transfer'],
  options: Awaited<ReturnType<typeof driverOptionsOf>>,
): SourceCapabilities {
  const area = areaLimitsOf(unit);
  // A page that is larger than the area must be cut, and the pixels of a file are not read here.
  const takesArea = area !== undefined && transfer === 'memory';
  const colorModes = colorModesOf(unit);
  const takesThreshold = unit.threshold !== undefined && colorModes.includes('BlackAndWhite');
  return {
    resolutions: resolutionsOf(unit),
    colorModes,
    duplex: source === 'feeder' && unit.duplex,
    pageSizes: pageSizesOf(unit),
    adjustments: [],
    ...(area && { area }),
    controls: [...(takesArea ? (['area'] as const) : []), ...(takesThreshold ? (['threshold'] as const) : [])],
    ...options,
  };
}
