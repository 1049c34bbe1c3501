/** The text of a page from Tesseract's words: lines and paragraphs in reading order; empty for a page without text. */
import { paragraphs } from './paragraphs.js';
import { parseTsv, type Line, type Word } from './tsv.js';

/**
 * A page has text if one word has this confidence: the first for two letters or digits, the second for a single one.
 * Photographs, noise, codes and drawings gave no word of two letters above 54 (README.md).
 */
const SURE_WORD = 60;
const SURE_CHARACTER = 90;

/**
 * A line whose best word has less is a rule, the edge of a stamp or a signature; in text, even in poor copies, the best
 * word of a line is above 60.
 */
const LEGIBLE = 40;

/**
 * Lines end with `\n`, paragraphs with an empty line.
 * @param tsv Tesseract's TSV of one page
 */
export function pageText(tsv: string): string {
  const lines = parseTsv(tsv);
  if (!lines.some(line => line.words.some(isSure))) return '';
  const written = lines.filter(line => line.words.some(word => characters(word) > 0 && word.confidence >= LEGIBLE));
  return paragraphs(written)
    .map(each => each.map(joined).join('\n'))
    .join('\n\n');
}

function isSure(word: Word): boolean {
  const count = characters(word);
  return count > 1 ? word.confidence >= SURE_WORD : count === 1 && word.confidence >= SURE_CHARACTER;
}

/** The number of letters and digits. */
function characters({ text }: Word): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Scripts without spaces between words, and East Asian punctuation. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspaced = `[${scripts.map(name => `\\p{Script=${name}}`).join('')}\\u3000-\\u303f\\uff00-\\uffef]`;
const endsUnspaced = new RegExp(`${unspaced}\\p{M}*$`, 'u');
const beginsUnspaced = new RegExp(`^${unspaced}`, 'u');

function joined({ words }: Line): string {
  let line = '';
  for (const { text } of words) {
    const joins = line === '' || (endsUnspaced.test(line) && beginsUnspaced.test(text));
    line += joins ? text : ` ${text}`;
  }
  return line;
}
