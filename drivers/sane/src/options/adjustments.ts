/** The scanner's own page adjustments. A backend's software ones (`swdeskew`, `swcrop`) stay off: core does that. */
import { adjustmentParameters, type OptionControl } from '@platen/core/driver';
import type { Adjustment } from '@platen/core/plugin';
import { settable, type OptionSet } from './optionSet.js';
import type { Descriptors } from '../handle.js';

interface Ability {
  readonly option: string;
  readonly does: readonly Adjustment[];
}

/** epsonds; fujitsu, which does both or none; canon_dr. */
const abilities: readonly Ability[] = [
  { option: 'adf-skew', does: ['deskew'] },
  { option: 'adf-crp', does: ['crop'] },
  { option: 'hwdeskewcrop', does: ['deskew', 'crop'] },
  { option: 'rollerdeskew', does: ['deskew'] },
];

export function adjustmentsOf(descriptors: Descriptors): readonly Adjustment[] {
  return [...new Set(abilities.filter(each => isThere(descriptors, each)).flatMap(each => each.does))];
}

/** The scan parameters that turn an option of these on; empty for another option. */
export function parametersOfAdjuster(name: string): readonly OptionControl[] {
  const does = abilities.find(each => each.option === name)?.does ?? [];
  return adjustmentParameters.filter(each => does.includes(each.adjustment)).map(each => each.parameter);
}

/**
 * Turns on the requested adjustments, and the rest off.
 * @param hasArea the page has a size that was asked for: nothing that crops is turned on
 * @returns what the device does now, which may be more
 */
export async function adjust(
  options: OptionSet,
  wanted: readonly Adjustment[],
  hasArea: boolean,
): Promise<readonly Adjustment[]> {
  const done = new Set<Adjustment>();
  for (const ability of abilities) {
    if (!isThere(options.descriptors, ability)) continue;
    const isExcluded = hasArea && ability.does.includes('crop');
    const value = !isExcluded && ability.does.some(each => wanted.includes(each));
    const taken = await options.set({ name: ability.option, value });
    if (value && taken) for (const each of ability.does) done.add(each);
  }
  return [...done];
}

function isThere(descriptors: Descriptors, { option }: Ability): boolean {
  return settable(descriptors, option)?.type === 'bool';
}
