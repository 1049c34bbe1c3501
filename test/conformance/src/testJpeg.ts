/** JPEGs of any shape, for tests: random blocks, coded with the usual tables (T.81, annex K). */

/** The codes of 1 to 16 bits, and the symbols: table K.3, luminance DC. */
const dcCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const dcSymbols = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
/** A short table of our own: the ends of a block, a run of 16, and runs of 0 to 2 with 1 to 3 bits. */
const acCounts = [0, 1, 2, 3, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const acSymbols = [0x00, 0x01, 0x02, 0x11, 0x03, 0x12, 0x21, 0x22, 0x13, 0x23, 0xf0];

export interface TestJpegWishes {
  readonly width?: number;
  readonly height?: number;
  /** Sampling factors of each component; one for grey. */
  readonly components?: readonly (readonly [h: number, v: number])[];
  /** Units from one restart marker to the next; none when absent. */
  readonly restartInterval?: number;
  /** Each component in a scan of its own. */
  readonly apart?: boolean;
  /** The frame has no height; it comes after the scan. */
  readonly later?: boolean;
  /** Of the frame: SOF0 when absent. */
  readonly frame?: number;
}

/** Its entropy-coded data begin at `dataAt`, those of the first scan where there are more. */
export function testJpeg(wishes: TestJpegWishes = {}): { readonly file: Buffer; readonly dataAt: number } {
  const {
    width = 100,
    height = 60,
    components = [
      [2, 2],
      [1, 1],
      [1, 1],
    ],
    restartInterval = 0,
    apart = false,
    later = false,
    frame = 0xc0,
  } = wishes;
  const most = Math.max(...components.map(([h]) => h));
  const highest = Math.max(...components.map(([, v]) => v));
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x02\x01\0\x64\0\x64\0\0', 'latin1')),
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(
      frame,
      Buffer.from([
        8,
        later ? 0 : height >> 8,
        later ? 0 : height & 255,
        width >> 8,
        width & 255,
        components.length,
        ...components.flatMap(([h, v], i) => [i + 1, (h << 4) | v, 0]),
      ]),
    ),
    segment(0xc4, Buffer.from([0x00, ...dcCounts, ...dcSymbols])),
    segment(0xc4, Buffer.from([0x10, ...acCounts, ...acSymbols])),
    ...(restartInterval > 0 ? [segment(0xdd, Buffer.from([restartInterval >> 8, restartInterval & 255]))] : []),
  ];
  let dataAt = 0;
  const scan = (ids: readonly number[], units: number, blocks: number): void => {
    parts.push(segment(0xda, Buffer.from([ids.length, ...ids.flatMap(id => [id, 0]), 0, 63, 0])));
    dataAt ||= parts.reduce((sum, { length }) => sum + length, 0);
    for (let from = 0, restart = 0; from < units; restart++) {
      const until = restartInterval > 0 ? Math.min(units, from + restartInterval) : units;
      parts.push(entropy((until - from) * blocks));
      if (until < units) parts.push(Buffer.from([0xff, 0xd0 + (restart & 7)]));
      from = until;
    }
    if (later) parts.push(segment(0xdc, Buffer.from([height >> 8, height & 255])));
  };
  const down = (size: number, by: number): number => Math.ceil(size / by);
  if (apart || components.length === 1) {
    components.forEach(([h, v], i) =>
      scan([i + 1], down(down(width * h, most), 8) * down(down(height * v, highest), 8), 1),
    );
  } else {
    scan(
      components.map((_, i) => i + 1),
      down(width, 8 * most) * down(height, 8 * highest),
      components.reduce((sum, [h, v]) => sum + h * v, 0),
    );
  }
  return { file: Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]), dataAt };
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** Whole blocks, filled up with ones to a byte. */
function entropy(blocks: number): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  const symbol = (counts: readonly number[], symbols: readonly number[], wanted: number): void =>
    put(...codeOf(counts, symbols, wanted));
  for (let block = 0; block < blocks; block++) {
    const size = chance(4);
    symbol(dcCounts, dcSymbols, size);
    put(chance(1 << size), size);
    let k = 1;
    for (let n = chance(12); n > 0 && k < 44; n--) {
      const ac = acSymbols[1 + chance(acSymbols.length - 1)]!;
      symbol(acCounts, acSymbols, ac);
      put(chance(1 << (ac & 15)), ac & 15);
      k += (ac >> 4) + 1;
    }
    symbol(acCounts, acSymbols, 0);
  }
  while (bits.length % 8 > 0) bits.push(1);
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = bits.slice(at, at + 8).reduce((sum, bit) => (sum << 1) | bit, 0);
    bytes.push(byte, ...(byte === 0xff ? [0] : []));
  }
  return Buffer.from(bytes);
}

function codeOf(counts: readonly number[], symbols: readonly number[], wanted: number): [code: number, length: number] {
  let code = 0;
  let at = 0;
  for (let length = 1; length <= 16; length++) {
    for (let i = 0; i < (counts[length - 1] ?? 0); i++, at++, code++) if (symbols[at] === wanted) return [code, length];
    code <<= 1;
  }
  throw new Error(`no code for ${wanted}`);
}

let seed = 1;

/** 0 to `below` - 1; the same in each run. */
function chance(below: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >> 16) % below;
}
