/** Words as strings of the content, in one of the two fonts. */
import { hasSpaceBetween } from '@platen/core/plugin';
import { otherWidth, westernCodes, westernWidths } from './characters.js';
import type { PlacedWord } from './lines.js';
import type { FontName } from './pen.js';

/** Codes of the characters in the other font: UTF-16 units, one for each character. */
export type OtherCodes = (text: string) => readonly number[];

export interface ShownWord extends PlacedWord {
  readonly font: FontName;
  /** Escaped, without brackets. */
  readonly string: string;
  /** Of its letters, in thousandths of the size. */
  readonly width: number;
  readonly spaceAfter: boolean;
}

export const spaces: Readonly<Record<FontName, { readonly string: string; readonly width: number }>> = {
  T: { string: ' ', width: westernWidths.get(0x20)! },
  U: { string: '\0 ', width: otherWidth(0x20) },
};

/** White space, and what is no character: it has no code. */
const unshown = /[\s\p{Cc}\p{Noncharacter_Code_Point}]/gu;

/** Without those that have no character to show. */
export function shownWords(words: readonly PlacedWord[], codesOf: OtherCodes): ShownWord[] {
  const clean = words.flatMap(word => {
    const text = word.text.replace(unshown, '').replace(/\p{Surrogate}/gu, '\ufffd');
    return text === '' ? [] : [{ ...word, text }];
  });
  return clean.map((word, i) => {
    const next = clean[i + 1];
    return { ...word, ...shown(word.text, codesOf), spaceAfter: next ? hasSpaceBetween(word.text, next.text) : false };
  });
}

function shown(text: string, codesOf: OtherCodes): Pick<ShownWord, 'font' | 'string' | 'width'> {
  const points = [...text].map(each => each.codePointAt(0)!);
  const codes = points.map(each => westernCodes.get(each));
  if (codes.every(each => each !== undefined)) {
    const width = points.reduce((sum, each) => sum + westernWidths.get(each)!, 0);
    return { font: 'T', string: escaped(codes), width };
  }
  const others = codesOf(text);
  return {
    font: 'U',
    string: escaped(others.flatMap(each => [each >> 8, each & 0xff])),
    width: others.reduce((sum, each) => sum + otherWidth(each), 0),
  };
}

/** ISO 32000-1, 7.3.4.2: readers would take a carriage return for a line feed. */
function escaped(bytes: readonly number[]): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[()\\]/g, '\\$&')
    .replaceAll('\r', '\\r');
}
