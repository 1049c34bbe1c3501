/** The headers of a BMP: BITMAPFILEHEADER, BITMAPINFOHEADER and, below 24 bits, the palette. */
import type { Pixels, RawPage } from '@platen/core/plugin';

const FILE_HEADER = 14;
const INFO_HEADER = 40;
const INCH = 0.0254;

const depths: Readonly<Record<Pixels, number>> = { rgb24: 24, gray8: 8, bw1: 1 };
/** The palette of 1-bit pages: 0 is white and 1 is black as in the page, so that no bit is inverted. */
const paper = [255, 0];
const greys = Array.from({ length: 256 }, (_, grey) => grey);

/** Bytes from row to row: a multiple of four. */
export function rowStride({ pixels, width }: Pick<RawPage, 'pixels' | 'width'>): number {
  return Math.ceil((width * depths[pixels]) / 32) * 4;
}

/** @throws RangeError for a page with more bytes than a BMP's header can hold */
export function bmpHeader(page: Pick<RawPage, 'pixels' | 'width' | 'height' | 'dpi'>): Buffer {
  const { pixels, width, height, dpi } = page;
  const palette = pixels === 'rgb24' ? [] : pixels === 'gray8' ? greys : paper;
  const start = FILE_HEADER + INFO_HEADER + palette.length * 4;
  const size = rowStride(page) * height;
  if (start + size > 0xffffffff)
    throw new RangeError(
      `a BMP takes up to 4294967295 bytes; the page, ${width} x ${height} in ${pixels}, needs ${start + size}`,
    );
  const header = Buffer.alloc(start);
  header.write('BM', 'latin1');
  header.writeUInt32LE(start + size, 2);
  header.writeUInt32LE(start, 10);
  header.writeUInt32LE(INFO_HEADER, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22); // positive: the last row comes first
  header.writeUInt16LE(1, 26); // planes
  header.writeUInt16LE(depths[pixels], 28);
  header.writeUInt32LE(size, 34);
  const perMetre = Math.round(dpi / INCH);
  header.writeInt32LE(perMetre, 38);
  header.writeInt32LE(perMetre, 42);
  header.writeUInt32LE(palette.length, 46); // colours in the palette
  palette.forEach((grey, i) =>
    header.fill(grey, start - (palette.length - i) * 4, start - (palette.length - i) * 4 + 3),
  );
  return header;
}
