/** The sensors of a device that is not scanning. */
import type { Status } from '@platen/core/plugin';
import type { OptionSet } from './optionSet.js';

/** Paper in the feeder: fujitsu, epjitsu, genesys and others; canon_dr; hp5590. */
const paperSensors = ['page-loaded', 'adf-loaded', 'doc-in-adf'];

/** `unknown` without a sensor. */
export async function paperOf(options: OptionSet): Promise<Status['paper']> {
  for (const name of paperSensors) {
    const value = flagOf(await options.get(name));
    if (value !== undefined) return value ? 'loaded' : 'empty';
  }
  return 'unknown';
}

export async function isCoverOpen(options: OptionSet): Promise<boolean> {
  return flagOf(await options.get('cover-open')) === true;
}

/** SANE has one status for jam and double feed; fujitsu has a sensor for the double feed. */
export async function isDoubleFeed(options: OptionSet): Promise<boolean> {
  return flagOf(await options.get('double-feed')) === true;
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value !== 0 : undefined;
}
