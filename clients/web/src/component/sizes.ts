/** Sizes of files, in words. */
import { isDamaged, type Sheet } from './pages/page.js';
import type { Words } from './words/words.js';

/** `12 kB` */
export function sizeWord(words: Words, bytes: number): string {
  if (bytes < 1000) return words('pages.bytes', { count: bytes });
  const [value, unit] = bytes < 1e6 ? [Math.round(bytes / 1000), 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return words.number(value, { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** Of a document of these pages, about: the files of the pages are most of it. */
export const bytesOfAll = (sheets: readonly Sheet[]): number =>
  sheets.reduce((sum, sheet) => sum + (isDamaged(sheet) ? 0 : sheet.page.bytes), 0);
