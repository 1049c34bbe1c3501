/** Uncompressed TIFF files read by hand, for the tests. */
import { testPage } from '@platen/conformance';
import type { RawPage } from '@platen/core/plugin';

export interface TiffFile {
  readonly width: number;
  readonly height: number;
  /** Per pixel. */
  readonly bits: number;
  /** 0 white is zero, 1 black is zero. */
  readonly photometric: number;
  readonly rows: Uint8Array;
}

export function readTiff(bytes: Uint8Array): TiffFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 0, 4) !== 'II*\0') throw new Error('not a little-endian TIFF');
  const directory = file.readUInt32LE(4);
  const tags = new Map<number, number>();
  for (let at = directory + 2; at < directory + 2 + file.readUInt16LE(directory) * 12; at += 12) {
    tags.set(
      file.readUInt16LE(at),
      file.readUInt16LE(at + 2) === 3 ? file.readUInt16LE(at + 8) : file.readUInt32LE(at + 8),
    );
  }
  const one = (tag: number): number => tags.get(tag) ?? NaN;
  if (one(259) !== 1 || one(277) !== 1 || one(278) !== one(257))
    throw new Error('not one strip of one channel without compression');
  return {
    width: one(256),
    height: one(257),
    bits: one(258),
    photometric: one(262),
    rows: file.subarray(one(273), one(273) + one(279)),
  };
}

/** Grey, all white. */
export function whitePage(width: number, height: number): RawPage {
  return {
    ...testPage({ width: 1, height: 1, pixels: 'gray8' }),
    width,
    height,
    stride: width,
    data: new Uint8Array(width * height).fill(255),
  };
}
