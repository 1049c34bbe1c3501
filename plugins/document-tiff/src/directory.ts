/** The directory of an image in a classic TIFF: its fields by their tags (TIFF 6.0, section 2). */

export interface Field {
  readonly type: number;
  readonly count: number;
  /** Little-endian. */
  readonly data: Uint8Array;
}

export type Directory = ReadonlyMap<number, Field>;

export const HEADER_BYTES = 8;

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
/** Bytes of a value, by its type: BYTE, ASCII, SHORT, LONG, RATIONAL. */
const SIZES = [0, 1, 1, 2, 4, 8];

/** An offset's bytes, and a value's that needs no offset. */
const INLINE = 4;
const ENTRY = 12;

/** The header of a little-endian file. */
export function header(firstDirectory: number): Buffer {
  const bytes = Buffer.from('II*\0\0\0\0\0', 'latin1');
  bytes.writeUInt32LE(firstDirectory, 4);
  return bytes;
}

/**
 * The directory of a file that has one image.
 * @returns undefined if it is not a little-endian classic TIFF, has several images, or is damaged
 */
export function readDirectory(file: Buffer): Directory | undefined {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, 4) !== 'II*\0') return undefined;
  const start = file.readUInt32LE(4);
  if (start < HEADER_BYTES || start + 2 > file.length) return undefined;
  const count = file.readUInt16LE(start);
  const end = start + 2 + count * ENTRY;
  if (end + INLINE > file.length || file.readUInt32LE(end) !== 0) return undefined;
  const fields = new Map<number, Field>();
  for (let at = start + 2; at < end; at += ENTRY) {
    const type = file.readUInt16LE(at + 2);
    const values = file.readUInt32LE(at + 4);
    const size = (SIZES[type] ?? 0) * values;
    const from = size > INLINE ? file.readUInt32LE(at + 8) : at + 8;
    if (size === 0 || from + size > file.length) return undefined;
    fields.set(file.readUInt16LE(at), { type, count: values, data: file.subarray(from, from + size) });
  }
  return fields;
}

/** Bytes that `directoryBytes` returns. Even, so that what follows an even place has an even place. */
export function directoryLength(fields: Directory): number {
  return [...fields.values()].reduce((sum, { data }) => sum + outside(data), 2 + fields.size * ENTRY + INLINE);
}

/**
 * @param at its place in the file; even
 * @param next the place of the next directory, 0 if it is the last one
 */
export function directoryBytes(fields: Directory, at: number, next: number): Buffer {
  const bytes = Buffer.alloc(directoryLength(fields));
  bytes.writeUInt16LE(fields.size);
  let entry = 2;
  let value = 2 + fields.size * ENTRY + INLINE;
  for (const [tag, { type, count, data }] of [...fields].sort(([a], [b]) => a - b)) {
    bytes.writeUInt16LE(tag, entry);
    bytes.writeUInt16LE(type, entry + 2);
    bytes.writeUInt32LE(count, entry + 4);
    if (data.length > INLINE) bytes.writeUInt32LE(at + value, entry + 8);
    bytes.set(data, data.length > INLINE ? value : entry + 8);
    entry += ENTRY;
    value += outside(data);
  }
  bytes.writeUInt32LE(next, entry);
  return bytes;
}

/** The next even number. */
export const even = (place: number): number => place + (place % 2);

const outside = (data: Uint8Array): number => (data.length > INLINE ? even(data.length) : 0);

/** The whole numbers of a field; undefined if it is absent or has other values. */
export function numbersOf(field: Field | undefined): readonly number[] | undefined {
  if (!field || (field.type !== SHORT && field.type !== LONG)) return undefined;
  const view = new DataView(field.data.buffer, field.data.byteOffset, field.data.byteLength);
  return Array.from({ length: field.count }, (_, i) =>
    field.type === SHORT ? view.getUint16(i * 2, true) : view.getUint32(i * 4, true),
  );
}

export function shorts(...values: number[]): Field {
  const data = new DataView(new ArrayBuffer(values.length * 2));
  values.forEach((value, i) => data.setUint16(i * 2, value, true));
  return { type: SHORT, count: values.length, data: new Uint8Array(data.buffer) };
}

export function longs(values: readonly number[]): Field {
  const data = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, i) => data.setUint32(i * 4, value, true));
  return { type: LONG, count: values.length, data: new Uint8Array(data.buffer) };
}

/** To three digits. */
export function rational(value: number): Field {
  const divisor = Number.isInteger(value) ? 1 : 1000;
  return { ...longs([Math.round(value * divisor), divisor]), type: RATIONAL, count: 1 };
}

/** UTF-8, as programs read it: the standard knows ASCII alone. A control character becomes a space. */
export function text(value: string): Field {
  // oxlint-disable-next-line no-control-regex
  const data = Buffer.from(`${value.replace(/[\0-\x1f\x7f]/g, ' ')}\0`);
  return { type: ASCII, count: data.length, data };
}
