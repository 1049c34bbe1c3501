/** What a sighting is worth: confidence from 0 to 1, by the table of the README. */
import type { FilterLevel, Symbology } from '@platen/core/plugin';

export interface Evidence {
  readonly symbology: Symbology;
  readonly text: string;
  /** Millimetres of the bars' height over which scan lines agreed, all looks together; 0 for a single line. */
  readonly agreed: number;
  /** The share of the error correction that was not needed. */
  readonly unused: number | undefined;
}

/**
 * The doubt that a symbology's own error detection leaves in a single line of full length, or in a symbol whose error
 * correction was used up. Code 128 and 93 have check characters of two digits' worth, EAN and UPC one digit; Code 39
 * and Codabar check each character by itself, and ITF hardly anything.
 */
export const doubts: Readonly<Record<Symbology, number>> = {
  QrCode: 0.04,
  Aztec: 0.04,
  DataMatrix: 0.04,
  Pdf417: 0.04,
  Code128: 0.35,
  Code93: 0.35,
  Ean13: 0.8,
  UpcA: 0.8,
  Ean8: 0.9,
  UpcE: 1,
  Code39: 0.7,
  Codabar: 1,
  Itf: 1,
};

/** Characters from which on a text of free length says as much as the table takes for granted. */
const FULL_LENGTH = 6;
const freeLength: ReadonlySet<Symbology> = new Set(['Code128', 'Code93', 'Code39', 'Codabar', 'Itf']);

/** Every millimetre on which lines agree halves the doubt. */
export function confidenceOf({ symbology, text, agreed, unused }: Evidence): number {
  const doubt = doubts[symbology];
  if (unused !== undefined) return 1 - doubt * (1 - 0.9 * unused);
  const short = freeLength.has(symbology) ? Math.max(1, FULL_LENGTH / [...text].length) : 1;
  return Math.max(0, 1 - doubt * short * 2 ** -agreed);
}

/** From which confidence on a level keeps a barcode. */
export const floors: Readonly<Record<FilterLevel, number>> = { Low: 0, Normal: 0.5, High: 0.8, VeryHigh: 0.95 };
