/**
 * Checks that a JPEG's entropy-coded data are complete and sound to the last block: walks over the symbols (ITU-T T.81,
 * annex F) without decoding pixels. Image libraries silently fill in missing data and ignore surplus data.
 */
import { END_OF_BLOCK, skipTables, type SkipTable, type SkipTables } from './huffman.js';
import {
  DHT,
  DRI,
  EOI,
  isFrame,
  markerAt,
  readFrame,
  segmentAt,
  SOS,
  type JpegComponent,
  type JpegFrame,
} from './jpegSegments.js';

/** Most bytes between the last block and the next marker: encoders pad to a word, devices to a sector of zeroes. */
const SLACK = 32;
const SECTOR = 512;
/** One unit has at most 10 blocks of 64 coefficients of 32 bits: the most read past the end before it is noticed. */
const BEYOND = 4096;
const TOO_LONG = 0x1000_0000;

const early = 'its data end before the last row';
const broken = 'its data are damaged';
const over = 'it has more data than rows';

/** Built when a scan needs them: a file may define any number. */
interface Tables {
  readonly dc: ((() => SkipTables) | undefined)[];
  readonly ac: ((() => SkipTables) | undefined)[];
  restartInterval: number;
}

/** One block of a unit: the tables for its symbols. */
interface Block {
  readonly dc: SkipTable;
  readonly ac: SkipTables;
}

interface Scan {
  readonly blocks: readonly Block[];
  /** How often the blocks occur. */
  readonly units: number;
}

/**
 * @param file starts with SOI
 * @returns the fault, to follow "its JPEG is not a complete image: "; `unknown` for a kind that scanners do not write
 *   (progressive, lossless, arithmetic), of which only the segments are checked
 */
export function jpegFault(file: Buffer): { readonly fault?: string; readonly unknown?: true } {
  try {
    return walkSegments(file);
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'it ends too early' };
    throw error;
  }
}

function walkSegments(file: Buffer): { readonly fault?: string; readonly unknown?: true } {
  const tables: Tables = { dc: [], ac: [], restartInterval: 0 };
  const seen = new Set<JpegComponent>();
  let frame: JpegFrame | undefined;
  let data: Uint8Array | undefined;
  for (let at = 2; ;) {
    const segment = segmentAt(file, at);
    if (!segment) return { fault: 'it ends too early' };
    const { marker, body } = segment;
    at = segment.end;
    if (marker === EOI) return frame?.components.every(each => seen.has(each)) ? {} : { fault: early };
    if (marker === DHT) readTables(body, tables);
    else if (marker === DRI) tables.restartInterval = body.readUInt16BE(0);
    else if (isFrame(marker)) {
      if (frame) return { fault: broken };
      frame = readFrame(file, segment);
      if (!isKnown(frame)) return leftToDecoder(file, at);
    } else if (marker === SOS) {
      const scan = frame && readScan(body, frame, tables, seen);
      if (!scan) return leftToDecoder(file, at);
      data ??= new Uint8Array(file.length + BEYOND);
      const walked = walkScan(file, at, scan, tables.restartInterval, data);
      if (typeof walked === 'string') return { fault: walked };
      at = walked;
    }
  }
}

function isKnown({ marker, precision, components }: JpegFrame): boolean {
  return (
    (marker === 0xc0 || marker === 0xc1) &&
    precision === 8 &&
    components.every(({ h, v }) => h >= 1 && h <= 4 && v >= 1 && v <= 4)
  );
}

/** Within data a byte 0xff is followed by 0, so an EOI there is the end. */
function leftToDecoder(file: Buffer, from: number): { readonly fault?: string; readonly unknown?: true } {
  return file.lastIndexOf(Buffer.from([0xff, EOI])) >= from ? { unknown: true } : { fault: 'it ends too early' };
}

function readTables(body: Buffer, tables: Tables): void {
  for (let at = 0; at < body.length;) {
    const kind = body.readUInt8(at);
    const counts = body.subarray(at + 1, at + 17);
    const symbols = body.subarray(at + 17, at + 17 + counts.reduce((sum, count) => sum + count, 0));
    const dc = kind >> 4 === 0;
    tables[dc ? 'dc' : 'ac'][kind & 15] = () => skipTables(counts, symbols, dc);
    at += 17 + symbols.length;
  }
}

/** Undefined if it refers to missing tables or components: decoders may know tables that are not in the file. */
function readScan(body: Buffer, frame: JpegFrame, { dc, ac }: Tables, seen: Set<JpegComponent>): Scan | undefined {
  const count = body.readUInt8(0);
  const parts: { readonly component: JpegComponent; readonly block: Block }[] = [];
  for (let i = 0; i < count; i++) {
    // If all components come at once, their order identifies them, whatever their numbers.
    const component =
      count === frame.components.length
        ? frame.components[i]
        : frame.components.find(({ id }) => id === body.readUInt8(1 + i * 2));
    const selectors = body.readUInt8(2 + i * 2);
    const [its, theirs] = [dc[selectors >> 4], ac[selectors & 15]];
    // A repeated component belongs to another kind of JPEG.
    if (!component || seen.has(component) || !its || !theirs) return undefined;
    seen.add(component);
    parts.push({ component, block: { dc: its().one, ac: theirs() } });
  }
  const [first] = parts;
  if (!first) return undefined;
  const [most, highest] = [
    Math.max(...frame.components.map(({ h }) => h)),
    Math.max(...frame.components.map(({ v }) => v)),
  ];
  if (parts.length === 1) {
    // A single component comes block by block, and only blocks with pixels (A.2.2).
    const { h, v } = first.component;
    return {
      blocks: [first.block],
      units:
        Math.ceil(Math.ceil((frame.width * h) / most) / 8) * Math.ceil(Math.ceil((frame.height * v) / highest) / 8),
    };
  }
  const blocks = parts.flatMap(({ component: { h, v }, block }) => Array.from({ length: h * v }, () => block));
  if (blocks.length > 10) return undefined;
  return { blocks, units: Math.ceil(frame.width / (8 * most)) * Math.ceil(frame.height / (8 * highest)) };
}

/**
 * @param data buffer for the data between two markers
 * @returns the position of the marker after the scan, or the fault
 */
function walkScan(
  file: Buffer,
  from: number,
  { blocks, units }: Scan,
  restartInterval: number,
  data: Uint8Array,
): number | string {
  let left = units;
  for (let at = from, restart = 0; ; restart++) {
    const { end, length } = unstuff(file, at, data);
    data.fill(0, length, length + BEYOND);
    if (length >= TOO_LONG) return over;
    const count = restartInterval > 0 ? Math.min(restartInterval, left) : left;
    const bits = walkUnits(data, 0, length * 8, blocks, count);
    if (typeof bits === 'string') return bits;
    if (isSurplus(data, bits, length, blocks)) return over;
    left -= count;
    if (left === 0) return end;
    const next = markerAt(file, end);
    if (next === undefined || file[next + 1] !== 0xd0 + (restart & 7)) return early;
    at = next + 2;
  }
}

/** @returns the position of the next marker, and the number of data bytes before it */
function unstuff(file: Buffer, from: number, data: Uint8Array): { readonly end: number; readonly length: number } {
  let length = 0;
  for (let at = from; ;) {
    const found = file.indexOf(0xff, at);
    if (found < 0 || found + 1 >= file.length) throw new RangeError('the file ends within its data');
    const isData = file[found + 1] === 0;
    const piece = file.subarray(at, isData ? found + 1 : found);
    data.set(piece, length);
    length += piece.length;
    if (!isData) return { end: found, length };
    at = found + 2;
  }
}

/** @returns the bit after the units, or the fault */
function walkUnits(
  data: Uint8Array,
  from: number,
  bits: number,
  blocks: readonly Block[],
  units: number,
): number | string {
  let at = from;
  for (let unit = 0; unit < units; unit++) {
    for (let b = 0; b < blocks.length; b++) {
      const {
        dc,
        ac: { one, many },
      } = blocks[b]!;
      let i = at >>> 3;
      let entry = dc[(((data[i]! << 24) | (data[i + 1]! << 16) | (data[i + 2]! << 8)) << (at & 7)) >>> 16]!;
      if (entry === 0) return at >= bits ? early : broken;
      at += entry & 0xff;
      let k = 1;
      while (k < 64) {
        i = at >>> 3;
        const next = (((data[i]! << 24) | (data[i + 1]! << 16) | (data[i + 2]! << 8)) << (at & 7)) >>> 16;
        entry = many[next]!;
        const to = k + (entry >> 8);
        // Several symbols may reach past the block's last coefficient, where the next block starts.
        if (to > 64 && (to < END_OF_BLOCK || to > END_OF_BLOCK + 63)) entry = one[next]!;
        if (entry === 0) return at >= bits ? early : broken;
        at += entry & 0xff;
        k += entry >> 8;
      }
      if (k !== 64 && k <= END_OF_BLOCK) return at > bits ? early : broken;
    }
    if (at > bits) return early;
  }
  return at;
}

/**
 * Whether the surplus is neither padding nor extra rows, as from a device that finds the sheet's end only after encoding
 * past it. Zeroes in place of data are neither.
 * @param bits number of bits that the units took
 */
function isSurplus(data: Uint8Array, bits: number, length: number, blocks: readonly Block[]): boolean {
  const rest = data.subarray((bits >> 3) + 1, length);
  if (rest.length <= SLACK) return false;
  if (rest.every(byte => byte === 0)) return rest.length > SECTOR;
  return walkUnits(data, bits, length * 8, blocks, Infinity) !== early;
}
