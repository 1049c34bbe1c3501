/** Parameters and their values in everyday words. */
import type { Values, Words } from '../words/words.js';

/** As their words show them. */
const sizes: Readonly<Record<string, Values>> = {
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  A4: { width: 210, height: 297 },
  A5: { width: 148, height: 210 },
  A6: { width: 105, height: 148 },
  B5: { width: 182, height: 257 },
};

/** @param other if the catalogue has no such key */
export function wordOr(words: Words, key: string, other: string): string {
  return words.has(key) ? words(key) : other;
}

/** Its label; the name itself if it has none. */
export const labelOf = (words: Words, parameter: string): string => wordOr(words, `settings.${parameter}`, parameter);

/** Parameters whose values have words of their own. */
const own: Readonly<Record<string, string>> = { barcodeFilterLevel: 'level', source: 'source' };

/** A value without words stays as it is. */
export function valueWord(words: Words, value: string | number | boolean, parameter = ''): string {
  if (parameter === 'resolution' && typeof value === 'number') return dpiWord(words, value);
  const key = `settings.${own[parameter] ?? 'value'}.${value}`;
  if (words.has(key)) return words(key, sizes[String(value)]);
  return typeof value === 'number' ? words.number(value) : String(value);
}

const dpiWord = (words: Words, value: number): string =>
  words('settings.dpi', { dpi: words.number(value, { useGrouping: false }) });

/** `100 × 50 mm` */
export const sizeWord = (words: Words, { width, height }: { readonly width: number; readonly height: number }) =>
  words('settings.area.size', { width, height });
