/** The controls and options of a source, read in each of its colour modes, because a backend's options depend on it. */
import type { HardwareControl } from '@platen/core/driver';
import type { ColorMode, DriverOption, Source, SourceCapabilities } from '@platen/core/plugin';
import { listOptions, reservedOptions } from './driverOptions.js';
import { areaLimits, takesAreas } from './geometry.js';
import { levels, levelValue, type Level } from './levels.js';
import { setMode, type Mode } from './modes.js';
import type { OptionSet } from './optionSet.js';
import type { Value } from '../handle.js';

/** With the source set; leaves its mode as it is. @param dpi the current resolution */
export async function readControls(
  options: OptionSet,
  source: Source,
  modes: Partial<Readonly<Record<ColorMode, Mode>>>,
  dpi: number,
): Promise<Pick<SourceCapabilities, 'area' | 'controls' | 'driverOptions' | 'reservedOptions'>> {
  const area = areaLimits(options.descriptors, dpi);
  const driverOptions = new Map<string, DriverOption>();
  const list = async () => {
    for (const option of await listOptions(options, driverOptions)) driverOptions.set(option.name, option);
  };
  // First as it is: the values are then the backend's defaults.
  await list();
  const before = await valuesOf(options, ['mode', 'depth']);
  const lacking = new Set<Level>(modes.BlackAndWhite ? [] : ['threshold']);
  for (const [colorMode, mode] of Object.entries(modes) as [ColorMode, Mode][]) {
    await setMode(options, colorMode, mode);
    await list();
    for (const level of levels) if (!(await hasLevel(options, level, colorMode))) lacking.add(level);
  }
  await options.setAll(before);
  return {
    ...(area && { area }),
    controls: controlsOf(
      area !== undefined && takesAreas(options.descriptors),
      levels.filter(level => !lacking.has(level)),
      source,
    ),
    ...(driverOptions.size > 0 && { driverOptions: [...driverOptions.values()] }),
    reservedOptions: reservedOptions(options.descriptors, driverOptions),
  };
}

function controlsOf(takesArea: boolean, has: readonly Level[], source: Source): readonly HardwareControl[] {
  return [...(takesArea ? (['area'] as const) : []), ...has, ...(source === 'feeder' ? (['sheets'] as const) : [])];
}

/** Brightness and contrast are needed in every mode; a threshold in BlackAndWhite only. */
async function hasLevel(options: OptionSet, level: Level, colorMode: ColorMode): Promise<boolean> {
  if (level === 'threshold' && colorMode !== 'BlackAndWhite') return true;
  return levelValue(options.descriptors, level, 0, await options.get(level)) !== undefined;
}

async function valuesOf(options: OptionSet, names: readonly string[]) {
  const values: { name: string; value: Value }[] = [];
  for (const name of names) {
    const value = await options.get(name);
    if (typeof value === 'string' || typeof value === 'number') values.push({ name, value });
  }
  return values;
}
