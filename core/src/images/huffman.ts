/** Huffman tables of a JPEG for walking over its data: the lengths of codes and their bits, without decoding values. */

/**
 * Indexed by the next 16 bits: the length of the symbol with its extra bits, and its step in bits 8 and up; 0 is no
 * code.
 */
export type SkipTable = Uint16Array;

/** Step of an end-of-block symbol: larger than any number of coefficients. */
export const END_OF_BLOCK = 128;

/** Two tables: a lookup takes as many symbols of a block as fit into 16 bits, or one only. */
export interface SkipTables {
  readonly one: SkipTable;
  readonly many: SkipTable;
}

/** Devices write the same tables into each page. */
const made = new Map<string, SkipTables>();
const MOST_MADE = 16;

/**
 * @param counts number of codes of 1 to 16 bits (T.81, B.2.4.2)
 * @param dc whether the symbols are sizes of DC differences (one per block) rather than runs and sizes of AC coefficients
 */
export function skipTables(counts: Uint8Array, symbols: Uint8Array, dc: boolean): SkipTables {
  const key = `${dc} ${Buffer.from(counts).toString('latin1')}${Buffer.from(symbols).toString('latin1')}`;
  const known = made.get(key);
  if (known) return known;
  const one = oneTable(counts, symbols, dc);
  const tables = { one, many: dc ? one : manyTable(one) };
  if (made.size >= MOST_MADE) made.clear();
  made.set(key, tables);
  return tables;
}

function oneTable(counts: Uint8Array, symbols: Uint8Array, dc: boolean): SkipTable {
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

function manyTable(one: SkipTable): SkipTable {
  const table = new Uint16Array(65_536);
  for (let next = 0; next < 65_536; next++) {
    let [bits, steps] = [0, 0];
    while (bits < 16 && steps < END_OF_BLOCK) {
      const entry = one[(next << bits) & 0xffff]!;
      const [its, leads] = [entry & 0xff, entry >> 8];
      // After the first symbol, take only complete symbols within the block.
      if (entry === 0 || (bits > 0 && (bits + its > 16 || steps + (leads & 0x7f) > 64))) break;
      bits += its;
      steps += leads;
    }
    table[next] = bits | (steps << 8);
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
