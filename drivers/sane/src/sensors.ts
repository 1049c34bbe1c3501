/** What a device says of itself while nothing is being scanned. */
import type { Status } from '@platen/core/plugin';
import type { OptionSet } from './optionSet.js';

/** Paper in the feeder: fujitsu, epjitsu, genesys and others; canon_dr; hp5590. */
const paperSensors = ['page-loaded', 'adf-loaded', 'doc-in-adf'];

/** `unknown` where no sensor says so. */
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

/** SANE has one status for both; fujitsu has a sensor for the one. */
export async function isDoubleFeed(options: OptionSet): Promise<boolean> {
  return flagOf(await options.get('double-feed')) === true;
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value !== 0 : undefined;
}
