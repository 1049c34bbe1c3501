/** A PNG (ISO/IEC 15948): the facts in its header, and whether its data are complete to the last row. */
import type { Pixels } from '../contract/page.js';
import { densityFrom, type Density } from './density.js';
import { once } from 'node:events';
import { crc32, createInflate } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Position after signature and IHDR. */
const FIRST_CHUNK = 33;
/** Size of one inflated piece, which is counted and dropped. */
const STEP_BYTES = 1024 * 1024;
const INCH_IN_METRES = 0.0254;
/** pHYs precedes the data: it is not searched for after more chunks than this. */
const MOST_CHUNKS = 1000;

interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Number of colour channels, without transparency; undefined if a palette decides. */
  readonly channels: number | undefined;
  readonly pixels: Pixels;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
}

/** By colour type: stored samples per pixel, and channels of the resulting colour. */
const colourTypes: Readonly<Record<number, { readonly stored: number; readonly channels?: number }>> = {
  0: { stored: 1, channels: 1 },
  2: { stored: 3, channels: 3 },
  3: { stored: 1 },
  4: { stored: 2, channels: 1 },
  6: { stored: 4, channels: 3 },
};

/** 11.2.1: IHDR comes first. @throws RangeError if the file ends within it */
export function readPng(file: Buffer): PngHeader | undefined {
  if (file.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [depth, type] = [file.readUInt8(24), file.readUInt8(25)];
  const kind = colourTypes[type];
  if (!kind) return undefined;
  const isGrey = kind.channels === 1 || (kind.channels === undefined && depth === 1);
  return {
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    channels: kind.channels,
    pixels: !isGrey ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8',
    bitsPerPixel: kind.stored * depth,
    interlaced: file.readUInt8(28) === 1,
  };
}

/** 11.3.5.3: pHYs, in pixels per metre. */
export function readDensity(file: Buffer): Density | undefined {
  for (
    let at = FIRST_CHUNK, seen = 0;
    at + 21 <= file.length && seen < MOST_CHUNKS;
    at += 12 + file.readUInt32BE(at), seen++
  ) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') return undefined;
    if (type !== 'pHYs') continue;
    const unitsPerInch = file[at + 16] === 1 ? INCH_IN_METRES : 0;
    return densityFrom(() => ({ x: file.readUInt32BE(at + 8), y: file.readUInt32BE(at + 12), unitsPerInch }));
  }
  return undefined;
}

/** Whether its last chunk is present. */
export function hasPngEnd(file: Buffer): boolean {
  return file.lastIndexOf('IEND', undefined, 'latin1') > FIRST_CHUNK;
}

/**
 * @param decoded whether a decoder also reads it: PNG decoders fill in nothing, so checking the rows is left to them
 * @returns the fault, to follow "its PNG is not a complete image: "
 */
export async function pngFault(file: Buffer, decoded = false): Promise<string | undefined> {
  const header = readPng(file);
  if (!header) return 'its header is damaged';
  const data: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length; ;) {
    if (at + 12 > file.length) return 'it ends too early';
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return 'it ends too early';
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return 'its data are damaged';
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') data.push(file.subarray(at + 8, end - 4));
    at = end;
    if (type === 'IEND') return decoded ? undefined : inflated(data, bytesOf(header));
  }
}

/** Bytes of all rows, each after its filter byte (9.2); if interlaced, of the rows of each pass (8.2). */
function bytesOf({ width, height, bitsPerPixel, interlaced }: PngHeader): number {
  const rows = (across: number, down: number): number =>
    across === 0 ? 0 : down * (1 + Math.ceil((across * bitsPerPixel) / 8));
  if (!interlaced) return rows(width, height);
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  return passes.reduce(
    (sum, [x, y, dx, dy]) =>
      sum + rows(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  );
}

/** zlib verifies the checksum at the end of the stream. */
async function inflated(data: readonly Buffer[], expected: number): Promise<string | undefined> {
  const inflate = createInflate({ chunkSize: STEP_BYTES });
  let bytes = 0;
  inflate.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > expected) inflate.destroy(new Error('it has more data than rows'));
  });
  for (const piece of data) inflate.write(piece);
  inflate.end();
  try {
    await once(inflate, 'end');
  } catch {
    return bytes > expected ? 'it has more data than rows' : 'its data are damaged, or end before the last row';
  }
  return bytes < expected ? 'its data end before the last row' : undefined;
}
