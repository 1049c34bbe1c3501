/**
 * The bars of a Code 39 barcode: nine elements a character, three of them wide (ISO/IEC 16388). Other programs look for
 * `PATCHT` in this symbology.
 */

/** Bars and spaces in turn, a bar first; `w`: wide. Without `$ / + %`, with which readers spell other characters. */
const elements: Readonly<Record<string, string>> = {
  '0': 'nnnwwnwnn',
  '1': 'wnnwnnnnw',
  '2': 'nnwwnnnnw',
  '3': 'wnwwnnnnn',
  '4': 'nnnwwnnnw',
  '5': 'wnnwwnnnn',
  '6': 'nnwwwnnnn',
  '7': 'nnnwnnwnw',
  '8': 'wnnwnnwnn',
  '9': 'nnwwnnwnn',
  A: 'wnnnnwnnw',
  B: 'nnwnnwnnw',
  C: 'wnwnnwnnn',
  D: 'nnnnwwnnw',
  E: 'wnnnwwnnn',
  F: 'nnwnwwnnn',
  G: 'nnnnnwwnw',
  H: 'wnnnnwwnn',
  I: 'nnwnnwwnn',
  J: 'nnnnwwwnn',
  K: 'wnnnnnnww',
  L: 'nnwnnnnww',
  M: 'wnwnnnnwn',
  N: 'nnnnwnnww',
  O: 'wnnnwnnwn',
  P: 'nnwnwnnwn',
  Q: 'nnnnnnwww',
  R: 'wnnnnnwwn',
  S: 'nnwnnnwwn',
  T: 'nnnnwnwwn',
  U: 'wwnnnnnnw',
  V: 'nwwnnnnnw',
  W: 'wwwnnnnnn',
  X: 'nwnnwnnnw',
  Y: 'wwnnwnnnn',
  Z: 'nwwnwnnnn',
  '-': 'nwnnnnwnw',
  '.': 'wwnnnnwnn',
  ' ': 'nwwnnnwnn',
};
/** Begins and ends every barcode. */
const GUARD = 'nwnnwnwnn';

/** For messages and schemas. */
export const CODE_39_TEXT = /^[A-Z\d.-](?:[A-Z\d. -]*[A-Z\d.-])?$/;

/** In narrow elements: a wide one is 2.5. */
const WIDE = 2.5;
const CHARACTER = 6 + 3 * WIDE;

export interface Bars {
  /** From the left edge of the barcode to that of the bar. */
  readonly x: number;
  readonly width: number;
}

/** In narrow elements, without the quiet zones. */
export function code39Width(text: string): number {
  // Between two characters is a narrow space.
  return (text.length + 2) * (CHARACTER + 1) - 1;
}

/** @param text matches `CODE_39_TEXT` */
export function code39Bars(text: string): readonly Bars[] {
  const bars: Bars[] = [];
  let x = 0;
  for (const character of [GUARD, ...[...text].map(each => elements[each] ?? ''), GUARD]) {
    for (const [index, element] of [...character].entries()) {
      const width = element === 'w' ? WIDE : 1;
      if (index % 2 === 0) bars.push({ x, width });
      x += width;
    }
    x++;
  }
  return bars;
}
