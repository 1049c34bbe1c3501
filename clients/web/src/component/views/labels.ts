/** Words for names and values that the interface has, or a plugin. */
import { en, type Key } from '../words/en.js';
import type { Values, Words } from '../words/words.js';

/** @param fallback if the catalogue has no such key */
function wordOr(words: Words, key: string, fallback: string, values?: Values): string {
  return key in en ? words(key as Key, values) : fallback;
}

export const labelOfParameter = (words: Words, parameter: string): string =>
  wordOr(words, `settings.${parameter}`, parameter);

export function valueWord(words: Words, value: string | number | boolean, parameter: string): string {
  if (parameter === 'resolution' && typeof value === 'number')
    return words('pages.dpi', { resolution: words.number(value, { useGrouping: false }) });
  return wordOr(
    words,
    `settings.value.${String(value)}`,
    typeof value === 'number' ? words.number(value) : String(value),
  );
}

/** Proper names. */
const symbologies: Readonly<Record<string, string>> = {
  PDF_417: 'PDF417',
  QR_CODE: 'QR Code',
  DATA_MATRIX: 'Data Matrix',
  AZTEC: 'Aztec',
  CODE_128: 'Code 128',
  CODE_39: 'Code 39',
  CODE_93: 'Code 93',
  EAN_13: 'EAN-13',
  EAN_8: 'EAN-8',
  UPC_A: 'UPC-A',
  UPC_E: 'UPC-E',
  ITF: 'ITF',
  CODABAR: 'Codabar',
};
const twoDimensional: ReadonlySet<string> = new Set(['PDF_417', 'QR_CODE', 'DATA_MATRIX', 'AZTEC']);

export const symbologyWord = (type: string): string => symbologies[type] ?? type;
export const isMatrix = (type: string): boolean => twoDimensional.has(type);
