/** Parts of a PNG file, as in the PNG specification (third edition), sections 5 and 11. */
import type { RawPage } from '@platen/core/plugin';
import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INCH = 0.0254;

/** What comes before the pixels. */
export function beginOf({ width, height, pixels, dpi }: RawPage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Colour type 2 or 0 (greyscale); deflate, filter method 0, not interlaced.
  header.set(pixels === 'rgb24' ? [8, 2] : [pixels === 'bw1' ? 1 : 8, 0], 8);
  const resolution = Buffer.alloc(9, 1);
  const perMetre = Math.round(dpi / INCH);
  resolution.writeUInt32BE(perMetre, 0);
  resolution.writeUInt32BE(perMetre, 4);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('pHYs', resolution)]);
}

export const chunkOfEnd = (): Buffer => chunk('IEND', Buffer.alloc(0));

export function chunk(type: string, ...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = Buffer.from(new ArrayBuffer(length + 12));
  bytes.writeUInt32BE(length, 0);
  bytes.write(type, 4, 'latin1');
  let to = 8;
  for (const part of parts) {
    bytes.set(part, to);
    to += part.length;
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(4, to)), to);
  return bytes;
}
