/** How far a decoded code can be trusted: confidence from 0 to 1, by the table in the README. */
import type { FilterLevel, Symbology } from '@platen/core/plugin';

export interface Decoded {
  readonly symbology: Symbology;
  readonly text: string;
  /** Millimetres of the bars' height over which scan lines agreed, all passes together; 0 for a single line. */
  readonly agreement: number;
  /** The share of the error correction that was not needed; undefined if the symbology has none, and of an Aztec rune. */
  readonly unusedCorrection: number | undefined;
}

/**
 * An Aztec rune has 28 bits, of which five hexadecimal digits correct two errors: one in two hundred arbitrary patterns
 * around a bull's-eye is read as a rune.
 */
const RUNE = 0.9;

/**
 * The doubt that a symbology's own error detection leaves in a single scan line of full length, or in a symbol that
 * used up its error correction. Code 128 and 93 have check characters worth two digits, EAN and UPC one digit; Code 39
 * and Codabar check each character by itself, and ITF checks next to nothing.
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

/** The table applies to texts of at least this many characters, if their length is free. */
const FULL_LENGTH = 6;
const freeLength: ReadonlySet<Symbology> = new Set(['Code128', 'Code93', 'Code39', 'Codabar', 'Itf']);

/** Every millimetre over which lines agree halves the doubt. */
export function confidenceOf({ symbology, text, agreement, unusedCorrection }: Decoded): number {
  const doubt = doubts[symbology];
  if (symbology === 'Aztec' && unusedCorrection === undefined) return RUNE;
  if (unusedCorrection !== undefined) return 1 - doubt * (1 - 0.9 * unusedCorrection);
  const short = freeLength.has(symbology) ? Math.max(1, FULL_LENGTH / [...text].length) : 1;
  return Math.max(0, 1 - doubt * short * 2 ** -agreement);
}

/** The least confidence that each filter level keeps. */
export const floors: Readonly<Record<FilterLevel, number>> = { Low: 0, Normal: 0.5, High: 0.8, VeryHigh: 0.95 };
