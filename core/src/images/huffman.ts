/** Huffman tables of a JPEG, made for walking over its data: what a code and its bits take, and nothing of what they mean. */

/** By the next 16 bits: the bits that the symbol takes, with those that follow it, and how far it leads, in bits 8 and up; 0 is no code. */
export type SkipTable = Uint16Array;

/** How far the end of a block leads: further than any coefficients do. */
export const END_OF_BLOCK = 128;

/**
 * @param counts of the codes of 1 to 16 bits (T.81, B.2.4.2)
 * @param dc whether the symbols are sizes of DC differences, not runs and sizes of AC coefficients
 */
export function skipTable(counts: Uint8Array, symbols: Uint8Array, dc: boolean): SkipTable {
  const table = new Uint16Array(65_536);
  let code = 0;
  let at = 0;
  for (let length = 1; length <= 16; length++) {
    for (let i = 0; i < (counts[length - 1] ?? 0); i++) {
      const from = code << (16 - length);
      table.fill(dc ? dcEntry(length, symbols[at]!) : acEntry(length, symbols[at]!), from, from + (1 << (16 - length)));
      at++;
      code++;
    }
    code <<= 1;
  }
  return table;
}

function dcEntry(length: number, size: number): number {
  return size > 16 ? 0 : (length + size) | 0x100;
}

function acEntry(length: number, symbol: number): number {
  const [run, size] = [symbol >> 4, symbol & 15];
  if (size > 0) return (length + size) | ((run + 1) << 8);
  if (run === 0) return length | (END_OF_BLOCK << 8);
  return run === 15 ? length | (16 << 8) : 0;
}
