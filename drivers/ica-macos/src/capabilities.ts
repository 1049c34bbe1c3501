/** What a scanner can do: selects each of its units in turn. */
import { ScanError, type Capabilities, type Source, type SourceCapabilities } from '@platen/core/plugin';
import type { Handle } from './handle.js';
import { colorModesOf, pageSizesOf, resolutionsOf, unitTypes, type Unit } from './unit.js';

const sources: readonly Source[] = ['flatbed', 'feeder'];

/** Moves no paper. @throws ScanError `unsupported` if it is not a document scanner */
export async function askCapabilities(handle: Handle, name: string): Promise<Capabilities> {
  await handle.ensure();
  const { units } = await handle.describe();
  const capabilities: Partial<Record<Source, SourceCapabilities>> = {};
  for (const source of sources) {
    if (units.includes(unitTypes[source]))
      capabilities[source] = capabilitiesOf(await handle.select(unitTypes[source]), source);
  }
  if (Object.keys(capabilities).length === 0)
    throw new ScanError('unsupported', `"${name}" has neither a flatbed nor a feeder, as macOS reports it.`);
  return capabilities;
}

function capabilitiesOf(unit: Unit, source: Source): SourceCapabilities {
  return {
    resolutions: resolutionsOf(unit),
    colorModes: colorModesOf(unit),
    duplex: source === 'feeder' && unit.duplex,
    pageSizes: pageSizesOf(unit),
    adjustments: [],
  };
}
