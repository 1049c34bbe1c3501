/**
 * Text from right to left in the order in which it is seen. Readers (poppler, PDFium, pdf.js) take the glyphs from left to
 * right and turn such text around, the numbers in it excepted.
 */

/** Strong characters (Unicode Standard Annex 9), by their scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Letters of other scripts, and numbers of all. */
const leftToRight = /(?![\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])[\p{L}\p{N}]/u;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** One word. */
export function visualOrder(text: string): string {
  if (!hasRightToLeft(text)) return text;
  const runs: string[][] = [];
  let forward = false;
  for (const character of text) {
    const changes = forward ? rightToLeft.test(character) && !leftToRight.test(character) : leftToRight.test(character);
    if (changes || runs.length === 0) {
      forward = leftToRight.test(character);
      runs.push([]);
    }
    runs.at(-1)!.push(character);
  }
  return runs
    .map(run => (leftToRight.test(run[0]!) ? run : run.toReversed()).join(''))
    .toReversed()
    .join('');
}
