/** Paper sources, in the spellings of SANE's backends. */
import type { Source } from '@platen/core/plugin';
import { stringsOf, usable, type Choice } from './optionSet.js';
import type { Descriptor, Descriptors } from '../handle.js';

/** The option values that select a source; an absent value need not be set. */
export interface Way {
  readonly source?: string;
  /** The source's value that scans both sides. */
  readonly duplexSource?: string;
}

export type Ways = Partial<Readonly<Record<Source, Way>>>;

/** Transparency units, the back side alone, and card slots: not sources of documents. */
const ignored = /transp|tpu|tma|slide|negative|positive|film|x-?pa|infrared|\bir\b|card|\bback\b|rear|button/i;
const both = /duplex|both|double/i;
const feeder = /adf|feed|\bsheet/i;
const flat = /flat|platen|glass|book|^normal$|^fb$/i;

/**
 * The sources that the `source` option offers. Without one, or with unknown values only, the device has one place for
 * paper, which its type and sensors determine.
 * @param type as SANE lists the device: `sheetfed scanner`
 */
export function waysOf(descriptors: Descriptors, type: string): Ways {
  const option = sourceOption(descriptors);
  const words = stringsOf(option).filter(word => !ignored.test(word));
  const feeders = words.filter(word => feeder.test(word));
  const flatbed = words.find(word => flat.test(word) && !feeder.test(word));
  const simplex = feeders.find(word => !both.test(word));
  const duplex =
    feeders.find(word => both.test(word)) ?? (feeders.length > 0 ? undefined : words.find(word => both.test(word)));
  // A feeder with only a duplex source always scans both sides; one side alone is unavailable.
  const chosen = simplex ?? duplex;
  if (chosen === undefined && flatbed === undefined)
    return isSheetfed(descriptors, type) ? { feeder: {} } : { flatbed: {} };
  // In some backends, a sheet-fed device calls its only source "Flatbed".
  if (chosen === undefined && isSheetfed(descriptors, type))
    return { feeder: flatbed === undefined ? {} : { source: flatbed } };
  return {
    ...(chosen === undefined
      ? {}
      : { feeder: { source: chosen, ...(duplex === undefined ? {} : { duplexSource: duplex }) } }),
    ...(flatbed === undefined ? {} : { flatbed: { source: flatbed } }),
  };
}

/** A guess for a device that could not be asked. */
export function guessedWays(type: string): Ways {
  return waysOf([], type);
}

/** A fixed source need not be set: the option is inactive, or has one value. */
export function sourceOption(descriptors: Descriptors): Descriptor | undefined {
  return descriptors.find(each => each.name === 'source' && each.type === 'string' && each.settable);
}

function isSheetfed(descriptors: Descriptors, type: string): boolean {
  return feeder.test(type) || (!flat.test(type) && usable(descriptors, 'page-loaded') !== undefined);
}

/** Options that make a feeder scan both sides if its source does not: epson2 and magicolor, kvs and hpaio, and others. */
const duplexNames = ['adf-mode', 'adf_mode', 'duplex', 'duplex-mode', 'sides', 'double-sided', 'scan-side'];

/** Whether an option determines the sides: `duplexChoices` sets it. */
export function choosesSides(name: string): boolean {
  return duplexNames.includes(name);
}

/** The values for both sides and for one, with the feeder selected; undefined if the device has no such option. */
export function duplexChoices(descriptors: Descriptors): { readonly on: Choice; readonly off: Choice } | undefined {
  for (const name of duplexNames) {
    const option = descriptors.find(each => each.name === name && each.active && each.settable);
    if (option?.type === 'bool') return { on: { name, value: true }, off: { name, value: false } };
    const words = stringsOf(option);
    const on = words.find(word => both.test(word) || /front.*back|two/i.test(word));
    const off = words.find(word => word !== on && /simplex|front|one|single|off|none|^no$/i.test(word));
    if (on !== undefined && off !== undefined) return { on: { name, value: on }, off: { name, value: off } };
  }
  return undefined;
}

/** Options that would feed a sheet that core did not pull (promise 1): fujitsu, canon_dr, kodak. */
const readsAhead = ['buffermode', 'prepick', 'prefeed'];

/** Whether an option is one of the feeder's: `feederChoices` sets it. */
export function feedsAhead(name: string): boolean {
  return readsAhead.includes(name) || name === 'batch-scan';
}

/** Options of the feeder that do not concern the page, with the values that Platen needs. */
export function feederChoices(descriptors: Descriptors): readonly Choice[] {
  const choices: Choice[] = [];
  for (const name of readsAhead) {
    const option = descriptors.find(each => each.name === name && each.active && each.settable);
    const off = stringsOf(option).find(word => /^off$/i.test(word));
    if (option?.type === 'bool') choices.push({ name, value: false });
    else if (off !== undefined) choices.push({ name, value: off });
  }
  // Without it, hpaio ends the job after each sheet.
  if (descriptors.some(each => each.name === 'batch-scan' && each.type === 'bool' && each.active && each.settable)) {
    choices.push({ name: 'batch-scan', value: true });
  }
  return choices;
}
