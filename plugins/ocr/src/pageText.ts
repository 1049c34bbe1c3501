/** The text of a page from Tesseract's words: lines and paragraphs in reading order; none on a page without text. */
import { hasSpaceBetween } from '@platen/core/plugin';
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
 * The lines that are text, by paragraphs; none on a page without text.
 * @param tsv Tesseract's TSV of one page
 */
export function pageParagraphs(tsv: string): Line[][] {
  const lines = parseTsv(tsv);
  if (!lines.some(line => line.words.some(isSure))) return [];
  return paragraphs(lines.filter(line => line.words.some(each => characters(each) > 0 && each.confidence >= LEGIBLE)));
}

/** Lines end with `\n`, paragraphs with an empty line. */
export function pageText(found: readonly (readonly Line[])[]): string {
  return found.map(each => each.map(joined).join('\n')).join('\n\n');
}

function isSure(word: Word): boolean {
  const count = characters(word);
  return count > 1 ? word.confidence >= SURE_WORD : count === 1 && word.confidence >= SURE_CHARACTER;
}

/** The number of letters and digits. */
function characters({ text }: Word): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function joined({ words }: Line): string {
  let line = '';
  for (const { text } of words) {
    line += line !== '' && hasSpaceBetween(line, text) ? ` ${text}` : text;
  }
  return line;
}
