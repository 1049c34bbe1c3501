/** Brightness, contrast and threshold, in a source's own scale. */
import { thresholdRange, type PageControl } from '@platen/core/driver';
import { ScanError, type ColorMode, type ScanOrder } from '@platen/core/plugin';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { BR_THRESHOLD, PT } from '../protocol/constants.js';
import { choicesOf, type Container } from '../protocol/containers.js';
import type { TemporarySettings } from './temporarySettings.js';

type Level = Exclude<PageControl, 'area'>;
const names = { brightness: 'BRIGHTNESS', contrast: 'CONTRAST', threshold: 'THRESHOLD' } as const;
const levels = ['brightness', 'contrast', 'threshold'] as const;

interface Scale {
  readonly least: number;
  readonly most: number;
  /** What the source does without a value. */
  readonly preset: number;
  /** Ascending; empty for a range. */
  readonly steps: readonly number[];
  /** Of a range; 0: none. */
  readonly step: number;
}

/** A threshold is listed by some sources only for 1-bit pixels: the pixel type changes while it is read. */
export async function levelsOf(
  negotiation: CapabilityNegotiation,
  colorModes: readonly ColorMode[],
): Promise<readonly Level[]> {
  const found: Level[] = [];
  for (const level of levels) {
    if (level === 'threshold') {
      if (!colorModes.includes('BlackAndWhite') || !(await negotiation.set('PIXELTYPE', PT.BW))) continue;
      await negotiation.refresh();
      const scale = await scaleOf(negotiation, level);
      // TWAIN has this scale; another one has a meaning that cannot be known.
      const isSettable = scale && (await negotiation.maySet(names[level]));
      if (isSettable && scale.least >= thresholdRange.minimum && scale.most <= thresholdRange.maximum)
        found.push(level);
      await negotiation.reset('PIXELTYPE');
      await negotiation.refresh();
    } else if ((await scaleOf(negotiation, level)) && (await negotiation.maySet(names[level]))) found.push(level);
  }
  return found;
}

/** Undefined if the source does not say how far it goes. */
async function scaleOf(negotiation: CapabilityNegotiation, level: Level): Promise<Scale | undefined> {
  const container = await negotiation.get(names[level]);
  const range = container && rangeOf(container);
  if (!range || !(range.least < range.most)) return undefined;
  const preset = Number((await negotiation.default(names[level])) ?? 0);
  return { ...range, preset: Math.min(range.most, Math.max(range.least, preset)) };
}

function rangeOf(container: Container): Omit<Scale, 'preset'> | undefined {
  if (container.kind === 'range') return { least: container.min, most: container.max, steps: [], step: container.step };
  if (container.kind === 'one') return undefined;
  const steps = choicesOf(container)
    .map(Number)
    .sort((a, b) => a - b);
  return { least: steps[0] ?? 0, most: steps.at(-1) ?? 0, steps, step: 0 };
}

/**
 * Sets those of the order.
 * @returns those that are in effect
 * @throws ScanError `unsupported` with the level's name if the source refuses it, for example in this colour mode
 */
export async function takeLevels(
  negotiation: CapabilityNegotiation,
  temporary: TemporarySettings,
  order: ScanOrder,
  name: string,
): Promise<readonly Level[]> {
  const wanted = levels.filter(each => order[each] !== undefined && (each === 'threshold' || order[each] !== 0));
  if (wanted.includes('threshold')) await negotiation.refresh();
  // A source that chooses levels itself ignores those that are set.
  if (wanted.length > 0) await temporary.set('AUTOBRIGHT', false);
  if (wanted.includes('threshold')) await temporary.set('BITDEPTHREDUCTION', BR_THRESHOLD);
  for (const level of wanted) {
    const scale = await scaleOf(negotiation, level);
    const value = scale && (level === 'threshold' ? nearest(scale, order[level]!) : scaled(scale, order[level]!));
    if (value === undefined || !(await temporary.set(names[level], value))) {
      throw new ScanError('unsupported', `"${name}" does not accept the ${level} ${order[level]} with these settings.`);
    }
  }
  return wanted;
}

/** @param percent -100 to 100: from the least to the most, around what the source does without a value */
function scaled(scale: Scale, percent: number): number {
  const reach = percent < 0 ? scale.preset - scale.least : scale.most - scale.preset;
  return nearest(scale, scale.preset + (reach * percent) / 100);
}

function nearest({ least, most, steps, step }: Scale, value: number): number {
  const within = Math.min(most, Math.max(least, value));
  if (steps.length > 0)
    return steps.reduce((best, each) => (Math.abs(each - within) < Math.abs(best - within) ? each : best));
  return step > 0 ? Math.min(most, least + Math.round((within - least) / step) * step) : within;
}
