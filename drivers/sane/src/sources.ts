/** Where the paper comes from, in the spellings of SANE's backends. */
import type { Source } from '@platen/core/plugin';
import { stringsOf, usable, type Choice, type Descriptor, type Descriptors } from './optionSet.js';

/** How a device is told to scan from a source; a choice that is absent needs not be made. */
export interface Way {
  readonly source?: string;
  /** The source's value that scans both sides. */
  readonly duplexSource?: string;
}

export type Ways = Partial<Readonly<Record<Source, Way>>>;

/** Light from behind, one side only of the two, or a slot for cards: none of them is where documents lie. */
const ignored = /transp|tpu|tma|slide|negative|positive|film|x-?pa|infrared|\bir\b|card|\bback\b|rear|button/i;
const both = /duplex|both|double/i;
const feeder = /adf|feed|\bsheet/i;
const flat = /flat|platen|glass|book|^normal$|^fb$/i;

/**
 * What the `source` option offers. Where there is none (or it names nothing that is known), the device has one place for
 * paper: its type and its sensors tell which.
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
  // A feeder that knows duplex only scans both sides anyway; one side alone is then not to be had.
  const chosen = simplex ?? duplex;
  if (chosen === undefined && flatbed === undefined)
    return isSheetfed(descriptors, type) ? { feeder: {} } : { flatbed: {} };
  // A sheet-fed device calls its only source "Flatbed" in some backends.
  if (chosen === undefined && isSheetfed(descriptors, type))
    return { feeder: flatbed === undefined ? {} : { source: flatbed } };
  return {
    ...(chosen === undefined
      ? {}
      : { feeder: { source: chosen, ...(duplex === undefined ? {} : { duplexSource: duplex }) } }),
    ...(flatbed === undefined ? {} : { flatbed: { source: flatbed } }),
  };
}

/** As far as it is known of a device that could not be asked. */
export function guessedWays(type: string): Ways {
  return waysOf([], type);
}

/** One that is fixed need not be set: it is inactive, or it has one word. */
export function sourceOption(descriptors: Descriptors): Descriptor | undefined {
  return descriptors.find(each => each.name === 'source' && each.type === 'string' && each.settable);
}

function isSheetfed(descriptors: Descriptors, type: string): boolean {
  return feeder.test(type) || (!flat.test(type) && usable(descriptors, 'page-loaded') !== undefined);
}

/** Options of which one makes a feeder scan both sides, where its source does not say so: epson2 and magicolor, kvs and hpaio, and others. */
const duplexNames = ['adf-mode', 'adf_mode', 'duplex', 'duplex-mode', 'sides', 'double-sided', 'scan-side'];

/** The choices for both sides and for one; undefined where the device has no such option, with the feeder chosen. */
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

/** What would let a sheet go through that nobody pulled (promise 1), where a backend has it: fujitsu, canon_dr, kodak. */
const readsAhead = ['buffermode', 'prepick', 'prefeed'];

/** Options of the feeder that have nothing to do with the page, with the values that Platen needs. */
export function feederChoices(descriptors: Descriptors): readonly Choice[] {
  const choices: Choice[] = [];
  for (const name of readsAhead) {
    const option = descriptors.find(each => each.name === name && each.active && each.settable);
    const off = stringsOf(option).find(word => /^off$/i.test(word));
    if (option?.type === 'bool') choices.push({ name, value: false });
    else if (off !== undefined) choices.push({ name, value: off });
  }
  // hpaio ends the job after each sheet without it.
  if (descriptors.some(each => each.name === 'batch-scan' && each.type === 'bool' && each.active && each.settable)) {
    choices.push({ name: 'batch-scan', value: true });
  }
  return choices;
}
