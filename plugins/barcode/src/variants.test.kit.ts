/** Variants of the thirteen symbologies that zxing's writer does not draw: their modules, `#` is dark. */

/** Aztec runes, as zint 2.11 draws them: eleven rows of eleven modules, each row in hexadecimal digits. */
const runes = {
  '000': 'eaa ffe 404 df6 514 d56 514 df6 404 7fe 2a8',
  '025': 'eca ffe 406 5f6 514 d56 d16 df4 c06 7fe 240',
  '255': 'd52 ffe 406 df6 d16 556 514 df6 c04 7fe 338',
} as const;

export const runeTexts = Object.keys(runes) as (keyof typeof runes)[];

export function rune(text: keyof typeof runes): string[] {
  return runes[text]
    .split(' ')
    .map(row =>
      Number.parseInt(row, 16).toString(2).padStart(12, '0').slice(0, 11).replaceAll('1', '#').replaceAll('0', '.'),
    );
}

const SIZE = 21;
/** Level M of version 1: bytes of data and of error correction. */
const [DATA, CORRECTION] = [16, 10];
/** The 15 bits of level M and mask 0 in model 1 (ISO/IEC 18004:2000, annex M). */
const FORMAT = 0x2825;

/** A QR code of model 1, version 1, level M. @param text of 13 characters at most */
export function qrModel1(text: string): string[] {
  const dark = Array.from({ length: SIZE }, () => Array.from({ length: SIZE }, () => false));
  const set = (x: number, y: number, value: boolean): void => void (dark[y]![x] = value);
  for (const [left, top] of [
    [0, 0],
    [SIZE - 7, 0],
    [0, SIZE - 7],
  ] as const)
    for (let y = 0; y < 7; y++)
      for (let x = 0; x < 7; x++) set(left + x, top + y, Math.max(Math.abs(x - 3), Math.abs(y - 3)) !== 2);
  for (let i = 8; i < SIZE - 8; i += 2)
    for (const [x, y] of [
      [i, 6],
      [6, i],
    ] as const)
      set(x, y, true);
  set(8, SIZE - 8, true);
  for (let i = 0; i < 15; i++) {
    const bit = ((FORMAT >> (14 - i)) & 1) === 1;
    // Around the corner, past the timing patterns.
    if (i < 8) set(i < 6 ? i : i + 1, 8, bit);
    else set(8, i === 8 ? 7 : 14 - i, bit);
    if (i < 7) set(8, SIZE - 1 - i, bit);
    else set(SIZE - 15 + i, 8, bit);
  }
  const places = codewordPlaces();
  codewords(text).forEach((value, at) => {
    const { x, y, width } = places[at]!;
    for (let b = 0; b < 8; b++) {
      const [px, py] = [x - (b % width), y - Math.floor(b / width)];
      set(px, py, (((value >> (7 - b)) & 1) === 1) !== ((px + py) % 2 === 0));
    }
  });
  return dark.map(row => row.map(each => (each ? '#' : '.')).join(''));
}

/** Where a codeword's first bit is, and how many bits a row of it has; bits run to the left, then up. */
function codewordPlaces(): { x: number; y: number; width: number }[] {
  const last = SIZE - 1;
  const upright = (x: number, y: number) => ({ x, y, width: 2 });
  const right = [last, last - 2].flatMap(x => [0, 1, 2].map(i => upright(x, last - i * 4)));
  const lying = (x: number, rows: number) =>
    Array.from({ length: rows }, (_, i) => ({ x, y: last - i * 2 - (i >= 7 ? 1 : 0), width: 4 }));
  const left = [8, 5, 3, 1].map(x => upright(x, last - 8));
  return [...right, ...lying(last - 4, 6), ...lying(last - 8, 10), ...left];
}

/** The first four bits are in the symbol's corner, and empty. */
function codewords(text: string): number[] {
  const bytes = Buffer.from(text, 'latin1');
  const bits = `00000100${bytes.length.toString(2).padStart(8, '0')}${[...bytes].map(each => each.toString(2).padStart(8, '0')).join('')}0000`;
  const data = bits.match(/.{1,8}/g)!.map(each => Number.parseInt(each.padEnd(8, '0'), 2));
  for (let pad = 0xec; data.length < DATA; pad ^= 0xec ^ 0x11) data.push(pad);
  return [...data, ...correction(data)];
}

/** Reed and Solomon's, over GF(256) with the polynomial 0x11d. */
function correction(data: readonly number[]): number[] {
  const power = [1];
  for (let i = 1; i < 255; i++) power.push((power[i - 1]! << 1) ^ (power[i - 1]! & 0x80 ? 0x11d : 0));
  const times = (a: number, b: number): number =>
    a === 0 || b === 0 ? 0 : power[(power.indexOf(a) + power.indexOf(b)) % 255]!;
  let generator = [1];
  for (let i = 0; i < CORRECTION; i++)
    generator = [...generator, 0].map((each, at) => each ^ (at > 0 ? times(generator[at - 1]!, power[i]!) : 0));
  const rest = [...data, ...Array.from({ length: CORRECTION }, () => 0)];
  for (let at = 0; at < data.length; at++) {
    const factor = rest[at]!;
    generator.forEach((each, i) => (rest[at + i]! ^= times(each, factor)));
  }
  return rest.slice(data.length);
}
