/** The threshold of black-and-white pages, which macOS has for units that accept one. */
import { ScanError, type ScanOrder, type Source } from '@platen/core/plugin';
import type { Frame } from '@platen/driver-kit';
import type { Threshold, Unit } from './unit.js';

/** Of each source, as the session found it: for scans that order none. */
export type FoundThresholds = Map<Source, Threshold>;

type Order = Pick<ScanOrder, 'source' | 'colorMode' | 'threshold'>;

/** What to set for the order; nothing if the unit has it. */
export function thresholdSettings({ threshold: now }: Unit, order: Order, found: FoundThresholds): Partial<Threshold> {
  if (!now) return {};
  const before = found.get(order.source) ?? now;
  found.set(order.source, before);
  const asked = askedOf(order);
  const wanted = asked === undefined ? before : { usesThreshold: true, threshold: asked };
  return wanted.usesThreshold === now.usesThreshold && wanted.threshold === now.threshold ? {} : wanted;
}

/** @returns whether the order's threshold is set. @throws ScanError `unsupported` if the unit does not accept it */
export function hasThreshold(taken: Frame['header'], order: Order): boolean {
  const asked = askedOf(order);
  if (asked === undefined) return false;
  if (taken['usesThreshold'] === true && taken['threshold'] === asked) return true;
  throw new ScanError('unsupported', `The scanner does not accept the threshold ${asked}.`);
}

function askedOf({ colorMode, threshold }: Order): number | undefined {
  return colorMode === 'BlackAndWhite' ? threshold : undefined;
}
