/** A page's pixels without padding, and 1-bit pixels as bytes while they are worked on. */
import { rowBytes, type Pixels } from '@platen/core/plugin';

export interface Raster {
  readonly pixels: Pixels;
  readonly width: number;
  readonly height: number;
  /** Rows without padding. */
  readonly data: Uint8Array;
}

export const WHITE = 255;

/** The four pixels of each half byte; made of bytes, so that it is right in either byte order. */
const halves = new Uint32Array(
  Uint8Array.from({ length: 16 * 4 }, (_, i) => ((i >> 2) & (8 >> (i & 3)) ? 0 : WHITE)).buffer,
);

export function channelsOf({ pixels }: Pick<Raster, 'pixels'>): 1 | 3 {
  return pixels === 'rgb24' ? 3 : 1;
}

/**
 * A row of 1-bit pixels as bytes, 0 for black.
 * @param into eight pixels for each byte of the row; those past the width have no meaning
 */
export function unpackRow({ data, width }: Raster, y: number, into: Uint32Array): void {
  const row = rowBytes('bw1', width);
  const at = y * row;
  for (let i = 0; i < row; i++) {
    const byte = data[at + i]!;
    into[2 * i] = halves[byte >> 4]!;
    into[2 * i + 1] = halves[byte & 15]!;
  }
}

/** 1-bit to gray8. */
export function unpacked(raster: Raster): Raster {
  const { width, height } = raster;
  const data = new Uint8Array(width * height);
  const wide = new Uint32Array(2 * rowBytes('bw1', width));
  const row = new Uint8Array(wide.buffer).subarray(0, width);
  for (let y = 0; y < height; y++) {
    unpackRow(raster, y, wide);
    data.set(row, y * width);
  }
  return { pixels: 'gray8', width, height, data };
}

/** Gray8 to 1-bit: black below 128. */
export function packed({ width, height, data }: Raster): Raster {
  const row = rowBytes('bw1', width);
  const bits = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    let from = y * width;
    const end = from + width;
    for (let at = y * row; from < end; at++) {
      let byte = 0;
      const stop = Math.min(from + 8, end);
      for (let bit = 7; from < stop; bit--, from++) byte |= ((data[from]! >> 7) ^ 1) << bit;
      bits[at] = byte;
    }
  }
  return { pixels: 'bw1', width, height, data: bits };
}

/** Runs work that takes bytes on pixels of any kind. */
export function viaBytes(raster: Raster, work: (raster: Raster) => Raster): Raster {
  return raster.pixels === 'bw1' ? packed(work(unpacked(raster))) : work(raster);
}
