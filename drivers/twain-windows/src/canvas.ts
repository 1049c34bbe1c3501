/** A page that is being made, row by row: of a known height, or of one that nobody knows before its end. */
import { rowBytes, ScanError, type Pixels } from '@platen/core/plugin';

export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels;
  readonly stride: number;
  readonly data: Uint8Array;
}

export interface Canvas {
  /** Makes room for the row; where it begins in `data`. @throws ScanError `unsupported` for one row too many, before it is allocated */
  at(y: number): number;
  readonly data: Uint8Array;
  /** The page that so many rows are. */
  finish(height: number): Drawn;
}

/** Rows of a page of unknown height to begin with. */
const FIRST_ROWS = 1024;

/** @throws ScanError `unsupported` for a page that is too large, before anything is allocated */
export function createCanvas(width: number, height: number | undefined, pixels: Pixels, maxPixels: number): Canvas {
  refuseTooLarge(width, height ?? 1, maxPixels);
  const stride = rowBytes(pixels, width);
  let rows = height ?? Math.min(FIRST_ROWS, Math.floor(maxPixels / width));
  // Only rows that were written are given away: filling them first would take as long as writing them.
  let data = fresh(stride * rows);
  return {
    get data() {
      return data;
    },
    at(y) {
      if (y >= rows) {
        refuseTooLarge(width, y + 1, maxPixels);
        rows = Math.min(Math.max(2 * rows, y + 1), Math.floor(maxPixels / width));
        const larger = fresh(stride * rows);
        larger.set(data);
        data = larger;
      }
      return y * stride;
    },
    finish(drawn) {
      if (drawn === 0) throw new ScanError('driver-failed', 'The scanner ended a page before its first row.');
      return { width, height: drawn, pixels, stride, data: data.subarray(0, drawn * stride) };
    },
  };
}

function fresh(bytes: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
}

/** @throws ScanError `unsupported` */
export function refuseTooLarge(width: number, height: number, maxPixels: number): void {
  const pixels = width * height;
  if (pixels <= maxPixels) return;
  throw new ScanError('unsupported', `The page has ${width} x ${height} = ${pixels} pixels, more than the ${maxPixels} allowed.`);
}
