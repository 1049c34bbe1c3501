/** The characters of the invisible text's two fonts: their codes, and their widths in thousandths of the font's size. */

/** Windows code page 1252 from 0x80 to 0x9F, as in WinAnsiEncoding (ISO 32000-1, annex D.2); a space where it has none. */
const MIDDLE = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/**
 * Code points by their codes in WinAnsiEncoding. Readers take 0xA0 for a space and 0xAD for a hyphen, so these are left
 * out.
 */
export const westernCodes: ReadonlyMap<number, number> = new Map([
  ...range(0x20, 0x7e).map(code => [code, code] as const),
  ...[...MIDDLE].flatMap((each, at) => (each === ' ' ? [] : [[each.codePointAt(0)!, 0x80 + at] as const])),
  ...range(0xa1, 0xff).flatMap(code => (code === 0xad ? [] : [[code, code] as const])),
]);

/** About the mean of Times and Helvetica. Letters with accents have the width of their letter. */
const westernGroups: readonly (readonly [width: number, characters: string])[] = [
  [200, "'|¦"],
  [250, ' ,.ijl‘’‚·'],
  [300, '!/:;I\\[]ft¡'],
  [350, '()-`r•°´¸¨¯ˆ˜¹²³ªº‹›'],
  [400, '"{}“”„'],
  [450, 'sJ*^†‡¿'],
  [500, 'aceksvxyz?–_«»'],
  [600, 'FLPSTZ'],
  [650, 'EB'],
  [700, 'ACKRVXY&'],
  [750, 'DGHNOQUw©®¼½¾Ø'],
  [800, 'mæ'],
  [850, 'M%œ'],
  [950, '@WÆŒ™'],
  [1000, '…—‰'],
];
const OTHER_WESTERN = 550;
const widthsByCharacter = new Map(
  westernGroups.flatMap(([width, all]) => [...all].map(each => [each, width] as const)),
);

/** @param code in WinAnsiEncoding */
const westernWidth = (point: number): number => {
  const character = String.fromCodePoint(point);
  return widthsByCharacter.get(character) ?? widthsByCharacter.get(character.normalize('NFD')[0]!) ?? OTHER_WESTERN;
};

/** By code points. */
export const westernWidths: ReadonlyMap<number, number> = new Map(
  [...westernCodes.keys()].map(point => [point, westernWidth(point)]),
);

export const NARROW = 500;
export const WIDE = 1000;

/** Codes of the other font that are not narrow; a code is a UTF-16 unit. What has surrogates is mostly Han or emoji. */
export const otherWidths: readonly (readonly [from: number, to: number, width: number])[] = [
  // Combining marks, and what joins or divides letters.
  [0x300, 0x36f, 0],
  [0x591, 0x5bd, 0],
  [0x64b, 0x65f, 0],
  [0x1100, 0x115f, WIDE],
  [0x200b, 0x200f, 0],
  [0x20d0, 0x20ff, 0],
  [0x2e80, 0x303e, WIDE],
  [0x3041, 0xa4cf, WIDE],
  [0xac00, 0xdfff, WIDE],
  [0xf900, 0xfaff, WIDE],
  [0xfe00, 0xfe0f, 0],
  [0xfe20, 0xfe2f, 0],
  [0xfe30, 0xfe6f, WIDE],
  [0xff00, 0xff60, WIDE],
  [0xffe0, 0xffe6, WIDE],
];

/** @param code a UTF-16 unit */
export function otherWidth(code: number): number {
  return otherWidths.find(([from, to]) => code >= from && code <= to)?.[2] ?? NARROW;
}
