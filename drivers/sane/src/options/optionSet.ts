/** A device's option set: its descriptors, as the helper lists them, and setting and reading values. */
import type { Log } from '@platen/core/plugin';
import { statusOf } from '@platen/driver-kit';
import type { Descriptor, Descriptors, Handle, Value } from '../handle.js';

/** The option with this name, if it is active and has one value. */
export function usable(descriptors: Descriptors, name: string): Descriptor | undefined {
  return descriptors.find(each => each.name === name && each.active && each.count === 1);
}

/** The same, if it can be set. */
export function settable(descriptors: Descriptors, name: string): Descriptor | undefined {
  const found = usable(descriptors, name);
  return found?.settable ? found : undefined;
}

/** The words that a string option accepts; empty if it accepts any. */
export function stringsOf(descriptor: Descriptor | undefined): readonly string[] {
  return descriptor?.constraint && 'strings' in descriptor.constraint ? descriptor.constraint.strings : [];
}

/** The largest number that an option accepts; undefined if the backend does not say. */
export function largest(descriptor: Descriptor | undefined): number | undefined {
  const constraint = descriptor?.constraint;
  if (!constraint || 'strings' in constraint) return undefined;
  return 'words' in constraint ? Math.max(...constraint.words) : constraint.max;
}

export function smallest(descriptor: Descriptor | undefined): number | undefined {
  const constraint = descriptor?.constraint;
  if (!constraint || 'strings' in constraint) return undefined;
  return 'words' in constraint ? Math.min(...constraint.words) : constraint.min;
}

/** The value nearest to the wanted one that the constraint allows. */
export function nearest(descriptor: Descriptor, wish: number): number {
  const { constraint } = descriptor;
  if (!constraint || 'strings' in constraint) return wish;
  if ('words' in constraint) {
    const closer = (best: number, each: number) => (Math.abs(each - wish) < Math.abs(best - wish) ? each : best);
    return constraint.words.reduce(closer, constraint.words[0] ?? wish);
  }
  const within = Math.min(Math.max(wish, constraint.min), constraint.max);
  if (constraint.quant <= 0) return within;
  const step = constraint.min + Math.round((within - constraint.min) / constraint.quant) * constraint.quant;
  return step > constraint.max ? step - constraint.quant : step;
}

/** A value of one option. */
export interface Choice {
  readonly name: string;
  readonly value: Value;
}

/** The options of an open device; re-reads the descriptors when setting one option changes others. */
export interface OptionSet {
  /** The current descriptors. */
  readonly descriptors: Descriptors;
  /**
   * Sets an option; a number is set to the nearest accepted one. A backend may reject it: the pages report the result.
   * @returns whether the option exists and accepted the value
   */
  set(choice: Choice): Promise<boolean>;
  setAll(choices: readonly Choice[]): Promise<void>;
  /** As `set`, until `restore`. */
  setForScan(choice: Choice): Promise<boolean>;
  /** Sets what `setForScan` changed back, the last one first. An option that is inactive now waits for the next call. */
  restore(): Promise<void>;
  /** The value of an option, or undefined if it cannot be read now. */
  get(name: string): Promise<unknown>;
}

/** Statuses with which a backend rejects one value; after any other status, the device is unusable. */
const refusals = ['INVAL', 'UNSUPPORTED', 'BAD_REQUEST'];

export async function readOptionSet(handle: Handle, log: Log): Promise<OptionSet> {
  let descriptors = await handle.options();
  /** Values to restore, in the order in which they were changed. */
  const before = new Map<string, Value>();
  const options: OptionSet = {
    get descriptors() {
      return descriptors;
    },
    async set({ name, value }) {
      const option = settable(descriptors, name);
      if (!option) return false;
      const wanted = typeof value === 'number' ? nearest(option, value) : value;
      const taken = option.type === 'int' ? Math.round(Number(wanted)) : wanted;
      try {
        if (await handle.set(option.index, taken)) descriptors = await handle.options();
        return true;
      } catch (error) {
        if (!refusals.includes(statusOf(error) ?? '')) throw error;
        log.debug(`The backend rejected ${name} = ${String(wanted)}.`);
        return false;
      }
    },
    async setAll(choices) {
      for (const choice of choices) await options.set(choice);
    },
    async setForScan(choice) {
      const { name } = choice;
      const value = before.has(name) ? undefined : await options.get(name);
      const isSet = await options.set(choice);
      if (isSet && isValue(value)) before.set(name, value);
      return isSet;
    },
    async restore() {
      for (const [name, value] of [...before].reverse()) if (await options.set({ name, value })) before.delete(name);
    },
    async get(name) {
      const option = usable(descriptors, name);
      return option?.readable ? handle.get(option.index) : undefined;
    },
  };
  return options;
}

function isValue(value: unknown): value is Value {
  return ['boolean', 'number', 'string'].includes(typeof value);
}
