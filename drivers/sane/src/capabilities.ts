/** What a device can do, read source by source, because a backend's ranges depend on the source that is set. */
import {
  ScanError,
  type Capabilities,
  type ColorMode,
  type Log,
  type Source,
  type SourceCapabilities,
} from '@platen/core/plugin';
import { statusOf } from '@platen/driver-kit';
import { readControls } from './options/controls.js';
import { pageSizesOf, resolutionOption, resolutionsOf } from './options/geometry.js';
import type { Handle, Parameters } from './handle.js';
import { adjustmentsOf } from './options/adjustments.js';
import { modesOf } from './options/modes.js';
import { readOptionSet, settable, type OptionSet } from './options/optionSet.js';
import { duplexChoices, waysOf, type Way, type Ways } from './options/sources.js';

export interface Abilities {
  readonly ways: Ways;
  readonly capabilities: Capabilities;
}

/**
 * Sets each source in turn; moves no paper.
 * @param type as SANE lists the device
 * @throws ScanError `unsupported` if it is not a document scanner
 */
export async function readAbilities(
  handle: Handle,
  options: OptionSet,
  name: string,
  type: string,
): Promise<Abilities> {
  const ways = waysOf(options.descriptors, type);
  const capabilities: Partial<Record<Source, SourceCapabilities>> = {};
  for (const source of ['flatbed', 'feeder'] as const) {
    const way = ways[source];
    if (!way) continue;
    await takeSource(options, way.source, name);
    capabilities[source] = await sourceCapabilities(handle, options, way, source, name);
  }
  return { ways, capabilities };
}

/** @throws ScanError `unsupported` if the backend keeps another source: paper would come from the wrong place */
export async function takeSource(options: OptionSet, source: string | undefined, name: string): Promise<void> {
  if (source === undefined || (await options.set({ name: 'source', value: source }))) return;
  if (settable(options.descriptors, 'source'))
    throw new ScanError('unsupported', `"${name}" does not accept its source "${source}".`);
}

/** The next page's parameters, as far as the backend reports them before feeding. */
export async function estimate(handle: Handle): Promise<Parameters | undefined> {
  try {
    return await handle.parameters();
  } catch (error) {
    if (statusOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The current resolution; undefined if the backend does not report it. */
export async function currentDpi(options: OptionSet): Promise<number | undefined> {
  const option = resolutionOption(options.descriptors);
  const value = option && (await options.get(option.name));
  return typeof value === 'number' && value > 0 ? value : undefined;
}

async function sourceCapabilities(
  handle: Handle,
  options: OptionSet,
  way: Way,
  source: Source,
  name: string,
): Promise<SourceCapabilities> {
  const { descriptors } = options;
  const resolutions = resolutionsOf(descriptors);
  if (resolutions.length === 0)
    throw new ScanError('unsupported', `"${name}" has no resolution option: it is not a document scanner.`);
  const modes = modesOf(descriptors, await estimate(handle));
  const dpi = (await currentDpi(options)) ?? resolutions[0] ?? 75;
  return {
    resolutions,
    colorModes: Object.keys(modes) as ColorMode[],
    duplex: source === 'feeder' && (way.duplexSource !== undefined || duplexChoices(descriptors) !== undefined),
    pageSizes: pageSizesOf(descriptors, dpi),
    adjustments: source === 'feeder' ? adjustmentsOf(descriptors) : [],
    ...(await readControls(options, source, modes, dpi)),
  };
}

/** Opens the device if it is closed, and leaves it open. */
export async function askAbilities(handle: Handle, name: string, type: string, log: Log): Promise<Abilities> {
  await handle.ensure();
  return readAbilities(handle, await readOptionSet(handle, log), name, type);
}
