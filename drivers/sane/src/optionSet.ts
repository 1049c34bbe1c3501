/** SANE's option descriptors as the helper lists them: what a backend says that can be set and read. */

export type Value = boolean | number | string;

export interface Range {
  readonly min: number;
  readonly max: number;
  /** The step from `min`; 0: none. */
  readonly quant: number;
}

export type Constraint = Range | { readonly words: readonly number[] } | { readonly strings: readonly string[] } | null;

export interface Descriptor {
  readonly index: number;
  /** `resolution`; the names that are usual stand in the SANE standard and in saneopts.h. Empty for a group. */
  readonly name: string;
  readonly type: 'bool' | 'int' | 'fixed' | 'string' | 'button' | 'group';
  readonly unit: 'none' | 'pixel' | 'bit' | 'mm' | 'dpi' | 'percent' | 'microsecond';
  /** How many values it has. */
  readonly count: number;
  /** With the other options as they are now. */
  readonly active: boolean;
  readonly settable: boolean;
  readonly readable: boolean;
  readonly constraint: Constraint;
}

export type Descriptors = readonly Descriptor[];

/** The option with this name, where it is active and has one value. */
export function usable(descriptors: Descriptors, name: string): Descriptor | undefined {
  return descriptors.find(each => each.name === name && each.active && each.count === 1);
}

/** The same, if it can be set. */
export function settable(descriptors: Descriptors, name: string): Descriptor | undefined {
  const found = usable(descriptors, name);
  return found?.settable ? found : undefined;
}

/** The words that a string option takes; none where it takes any. */
export function stringsOf(descriptor: Descriptor | undefined): readonly string[] {
  return descriptor?.constraint && 'strings' in descriptor.constraint ? descriptor.constraint.strings : [];
}

/** The largest number that an option takes; undefined where the backend does not say. */
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

/** The value nearest to a wish that the constraint allows. */
export function nearest(descriptor: Descriptor, wish: number): number {
  const { constraint } = descriptor;
  if (!constraint || 'strings' in constraint) return wish;
  if ('words' in constraint) return constraint.words.reduce((best, each) => (Math.abs(each - wish) < Math.abs(best - wish) ? each : best), constraint.words[0] ?? wish);
  const within = Math.min(Math.max(wish, constraint.min), constraint.max);
  if (constraint.quant <= 0) return within;
  const step = constraint.min + Math.round((within - constraint.min) / constraint.quant) * constraint.quant;
  return step > constraint.max ? step - constraint.quant : step;
}
