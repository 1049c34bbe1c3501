/** Assembles one page: each band is placed at its first row. */
import { pageBuffer, type PageRows } from '@platen/driver-kit';
import type { Band } from './band.js';

export interface Assembly {
  /** Whether this band belongs to this page: the next page's bands start again at row 0. */
  owns(band: Band): boolean;
  /** Whether rows before this band never came. */
  misses(band: Band): boolean;
  /** The destination of this band's data; undefined if the data must be converted. */
  place(band: Band, length: number): Uint8Array | undefined;
  take(band: Band, data: Uint8Array): void;
  readonly isWhole: boolean;
  /** The page, with as many rows as arrived; undefined for none. */
  finish(): PageRows | undefined;
}

/** @throws ScanError `unsupported` before anything is allocated */
export function createAssembly({ width, height, bytesPerRow, kind }: Band, maxPixels: number): Assembly {
  const { pixels, components } = kind;
  const drops = components === 4;
  const stride = drops ? width * 3 : bytesPerRow;
  const buffer = pageBuffer({ width, height, pixels, stride, maxPixels });
  const page = buffer.data;
  /** In the scanner's layout, bytes from the start of the page. */
  const startOf = (band: Band) => band.startRow * bytesPerRow + band.offset;
  let reached = 0;

  return {
    owns: band =>
      band.width === width && band.height === height && band.bytesPerRow === bytesPerRow && startOf(band) >= reached,
    misses: band => startOf(band) - reached >= bytesPerRow,
    place(band, length) {
      const start = startOf(band);
      return drops || pixels === 'bw1' || start + length > page.length
        ? undefined
        : page.subarray(start, start + length);
    },
    take(band, data) {
      const start = startOf(band);
      const room = data.subarray(0, Math.max(0, bytesPerRow * height - start));
      reached = Math.max(reached, start + room.length);
      if (drops) dropFourth(page, start, room, width, bytesPerRow);
      else if (pixels === 'bw1') invert(page, start, room);
      else if (data.buffer !== page.buffer) page.set(room, start);
    },
    get isWhole() {
      return reached >= bytesPerRow * height;
    },
    finish() {
      const rows = Math.floor(reached / bytesPerRow);
      if (rows === 0) return undefined;
      const packed = pixels === 'gray8' && rows === height && isPacked(page, width, height, bytesPerRow);
      return packed
        ? { width, height, pixels, stride: width, data: page.subarray(0, height * width) }
        : buffer.page(rows * stride);
    },
  };
}

/** On macOS 1 is white, as in all its grey formats; in a page 1 is black. */
function invert(page: Uint8Array, start: number, data: Uint8Array): void {
  for (let i = 0; i < data.length; i++) page[start + i] = ~data[i]!;
}

/** Drops the fourth byte of each pixel. A band's frame may start within a row, or within a pixel. */
function dropFourth(page: Uint8Array, start: number, data: Uint8Array, width: number, bytesPerRow: number): void {
  let row = Math.floor(start / bytesPerRow);
  let within = start - row * bytesPerRow;
  for (let at = 0; at < data.length; row++, within = 0) {
    const end = Math.min(bytesPerRow, within + data.length - at);
    const colours = Math.min(end, width * 4);
    let to = row * width * 3 + (within >> 2) * 3 + Math.min(within & 3, 3);
    for (let i = within, from = at; i < colours; i++, from++) if ((i & 3) !== 3) page[to++] = data[from]!;
    at += end - within;
  }
}

/**
 * Whether the rows are packed although `bytesPerRow` says that they are padded, a known fault of ImageCaptureCore. Then
 * the page ends with a block of zeros, and the padding contains picture data. A page of zeros is the same either way.
 * NAPS2 treats all grey pages as packed (DeviceOperator.cs); here the page itself decides.
 */
export function isPacked(page: Uint8Array, width: number, height: number, bytesPerRow: number): boolean {
  const padding = bytesPerRow - width;
  if (padding <= 0) return false;
  const end = width * height;
  for (let i = end; i < bytesPerRow * height; i++) if (page[i] !== 0) return false;
  for (let row = 0; row < height; row++) {
    const start = row * bytesPerRow + width;
    for (let i = start; i < start + padding && i < end; i++) if (page[i] !== 0) return true;
  }
  return false;
}
