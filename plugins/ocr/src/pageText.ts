/** The text of a page from what Tesseract says of its words: lines and paragraphs in reading order, and nothing where there is none. */
import { paragraphs } from './paragraphs.js';
import { tableLines, type Line, type Word } from './tableLines.js';

/**
 * A page has text where one word is sure enough: two letters or digits from this confidence on, one alone from the other. Photographs, noise, codes
 * and drawings gave no word of two letters above 54 (README.md).
 */
const SURE_WORD = 60;
const SURE_SIGN = 90;

/** A line none of whose words comes up to this is no writing, but a rule, a stamp's rim or a signature; of text, even of poor copies, a line's best word is above 60. */
const LEGIBLE = 40;

/**
 * A line ends with `\n`, a paragraph with an empty line.
 * @param table Tesseract's TSV of one page
 */
export function pageText(table: string): string {
  const lines = tableLines(table);
  if (!lines.some(line => line.words.some(isSure))) return '';
  const written = lines.filter(line => line.words.some(word => signs(word) > 0 && word.confidence >= LEGIBLE));
  return paragraphs(written).map(each => each.map(joined).join('\n')).join('\n\n');
}

function isSure(word: Word): boolean {
  const count = signs(word);
  return count > 1 ? word.confidence >= SURE_WORD : count === 1 && word.confidence >= SURE_SIGN;
}

/** How many letters and digits. */
function signs({ text }: Word): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Scripts that set no space between words, and the punctuation of the Far East. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]`;
const endsUnspaced = new RegExp(`${unspaced}\\p{M}*$`, 'u');
const beginsUnspaced = new RegExp(`^${unspaced}`, 'u');

function joined({ words }: Line): string {
  let line = '';
  for (const { text } of words) line += line === '' || (endsUnspaced.test(line) && beginsUnspaced.test(text)) ? text : ` ${text}`;
  return line;
}
