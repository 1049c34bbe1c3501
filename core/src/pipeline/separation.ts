/** What begins a new document within a scan. */
import { InvalidValue } from '../contract/errors.js';
import type { PatchCode, Recogniser } from '../contract/recogniser.js';
import type { Recognisers } from '../registry/registry.js';

export const separators = ['blank', 'barcode', 'patch', 'count'] as const;

export interface Separation {
  /**
   * blank: a sheet whose scanned sides are blank. barcode, patch: a sheet with such a code.
   * count: a number of pages.
   */
  readonly by: (typeof separators)[number];
  /** For `count`: pages of each document, 1 at least. */
  readonly pages?: number;
  /** For `barcode`: the code's text, in which `*` stands for any characters. Absent: `PATCHT`. */
  readonly text?: string;
  /** For `patch`: the codes that count. Absent: all. */
  readonly codes?: readonly PatchCode[];
  /** Both sides of a separator sheet are the first pages of the document that it begins. Absent: they are in none. */
  readonly keep?: boolean;
}

/** The barcode that separates without `text`: what separator sheets of scanning programs usually say. */
export const SEPARATOR_TEXT = 'PATCHT';

/** The kinds that need a recogniser, and what is said if none is loaded. */
const missing = {
  blank: 'no loaded plugin finds blank pages',
  barcode: 'no loaded plugin reads barcodes',
  patch: 'no loaded plugin reads patch codes',
} as const satisfies Partial<Record<Recogniser['kind'], string>>;
const kinds = Object.keys(missing) as (keyof typeof missing)[];

/**
 * @returns the recogniser that finds the separators; undefined if none is needed
 * @throws `InvalidValue` if it is not loaded: the whole stack would be one document
 */
export function separatorKind(
  separate: Separation | undefined,
  software: Partial<Recognisers>,
): keyof typeof missing | undefined {
  if (!separate || separate.by === 'count') return undefined;
  if (software[separate.by]) return separate.by;
  const allowed = [...kinds.filter(kind => software[kind]), 'count'];
  throw new InvalidValue('separate.by', `one of ${allowed.join(', ')} here: ${missing[separate.by]}`, allowed);
}
