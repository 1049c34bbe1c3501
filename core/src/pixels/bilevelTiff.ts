/**
 * 1-bit pixels as an uncompressed TIFF and back.
 *
 * Image libraries accept raw pixels of at least eight bits only. A TIFF header before the packed rows lets them
 * read (and write) 1-bit pages on their own threads, so that the event loop unpacks no bits.
 * Tags as in TIFF 6.0, section 3 (bilevel images).
 */
import type { RawPage } from '../contract/page.js';
import { packedRows } from './rows.js';

const SHORT = 3;
const LONG = 4;
const HEADER = 8;

type Bilevel = Pick<RawPage, 'width' | 'height' | 'stride' | 'data'>;

/** A `bw1` page as a TIFF where 0 is white, the contract's polarity: the rows are used unchanged. */
export function toBilevelTiff(page: Bilevel): Uint8Array {
  const rows = packedRows({ ...page, pixels: 'bw1' });
  const tags: [tag: number, type: number, value: number][] = [
    [256, LONG, page.width],
    [257, LONG, page.height],
    [258, SHORT, 1], // bits per sample
    [259, SHORT, 1], // no compression
    [262, SHORT, 0], // white is zero
    [273, LONG, 0], // where the strip begins, filled in below
    [277, SHORT, 1], // samples per pixel
    [278, LONG, page.height], // one strip
    [279, LONG, rows.length],
  ];
  const start = HEADER + 2 + tags.length * 12 + 4;
  const head = Buffer.alloc(start);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(HEADER, 4);
  head.writeUInt16LE(tags.length, HEADER);
  tags.forEach(([tag, type, value], i) => {
    const at = HEADER + 2 + i * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(1, at + 4);
    if (type === SHORT) head.writeUInt16LE(value, at + 8);
    else head.writeUInt32LE(tag === 273 ? start : value, at + 8);
  });
  return Buffer.concat([head, rows]);
}

/** The rows of an uncompressed little-endian 1-bit TIFF with contiguous strips, as `bw1` pixels. */
export function fromBilevelTiff(tiff: Uint8Array): Bilevel & { pixels: 'bw1' } {
  const file = Buffer.from(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (file.toString('latin1', 0, 4) !== 'II*\0') throw new TypeError('not a little-endian TIFF');
  const directory = file.readUInt32LE(4);
  const values = new Map<number, { count: number; value: number; at: number; size: number }>();
  for (let i = 0; i < file.readUInt16LE(directory); i++) {
    const at = directory + 2 + i * 12;
    const size = file.readUInt16LE(at + 2) === SHORT ? 2 : 4;
    const value = size === 2 ? file.readUInt16LE(at + 8) : file.readUInt32LE(at + 8);
    values.set(file.readUInt16LE(at), { count: file.readUInt32LE(at + 4), value, at: at + 8, size });
  }
  const one = (tag: number, absent?: number): number => {
    const value = values.get(tag)?.value ?? absent;
    if (value === undefined) throw new TypeError(`the TIFF lacks tag ${tag}`);
    return value;
  };
  if (one(258, 1) !== 1 || one(259, 1) !== 1) throw new TypeError('not an uncompressed 1-bit TIFF');
  const strips = values.get(273);
  if (!strips) throw new TypeError('the TIFF has no strips');
  const width = one(256);
  const height = one(257);
  const stride = Math.ceil(width / 8);
  const inline = strips.count * strips.size <= 4;
  const table = inline ? strips.at : strips.value;
  const start = strips.size === 2 ? file.readUInt16LE(table) : file.readUInt32LE(table);
  const data = Buffer.from(file.subarray(start, start + stride * height));
  if (data.length < stride * height) throw new TypeError('the TIFF ends before its last row');
  if (one(262) === 1) invert(data);
  return { pixels: 'bw1', width, height, stride, data };
}

/** Eight pixels per byte: an A4 page at 300 dpi takes less than 1 ms. */
function invert(bits: Uint8Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = ~bits[i]! & 0xff;
}
