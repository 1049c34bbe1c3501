/** Capitals of five by seven squares, for a drawn page. */

/** Five columns of each, two hexadecimal digits a column; the lowest bit is the highest square. */
const columns: Readonly<Record<string, string>> = {
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  '-': '0808080808',
  '.': '0060600000',
};

const HEIGHT = 7;
/** Five squares and the space after them. */
const ADVANCE = 6;

/** In squares. */
export const wordsWidth = (words: string): number => words.length * ADVANCE - 1;

/** Calls back for each black square. A character that has no letter is a space. */
export function drawWords(words: string, square: (x: number, y: number) => void): void {
  for (const [index, character] of [...words].entries()) {
    const letter = Buffer.from(columns[character] ?? '', 'hex');
    for (const [column, bits] of letter.entries())
      for (let y = 0; y < HEIGHT; y++) if ((bits >> y) & 1) square(index * ADVANCE + column, y);
  }
}
