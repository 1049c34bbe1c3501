/** Brightness, contrast and threshold, where the backend has them: from the contract's scale to the option's range. */
import { levelRange, thresholdRange, type ScanControls } from '@platen/core/driver';
import { largest, settable, smallest } from './optionSet.js';
import type { Descriptor, Descriptors } from '../handle.js';

export const levels = ['brightness', 'contrast', 'threshold'] as const;
export type Level = (typeof levels)[number];

/** The option of a level, if it is active, is a number and has limits. */
function limitsOf(descriptors: Descriptors, level: Level) {
  const option = settable(descriptors, level);
  const [min, max] = [smallest(option), largest(option)];
  if (!isNumeric(option) || min === undefined || max === undefined || min >= max) return undefined;
  return { min, max };
}

function isNumeric(option: Descriptor | undefined): boolean {
  return option?.type === 'int' || option?.type === 'fixed';
}

/**
 * The option's value for a level. Brightness and contrast: `rest`, the option's value when nothing is asked for, is 0,
 * and its limits are -100 and 100. A threshold: its limits are 0 and 255.
 * @param rest must be between the limits, or one direction would have no effect
 * @returns undefined if the option cannot be used so
 */
export function levelValue(
  descriptors: Descriptors,
  level: Level,
  asked: Required<Pick<ScanControls, Level>>[Level],
  rest: unknown,
): number | undefined {
  const limits = limitsOf(descriptors, level);
  if (!limits) return undefined;
  const { min, max } = limits;
  if (level === 'threshold') return min + (asked / thresholdRange.maximum) * (max - min);
  if (typeof rest !== 'number' || rest <= min || rest >= max) return undefined;
  return asked < 0
    ? rest + (asked / levelRange.minimum) * (min - rest)
    : rest + (asked / levelRange.maximum) * (max - rest);
}
