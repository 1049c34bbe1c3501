/** Memory for one page, allocated within the order's limit and handed over with the page. */
import { assertPixels } from '@platen/core/driver';
import { ScanError, type Pixels, type RawPage } from '@platen/core/plugin';
import { uninitialisedBytes } from '../frames/bytes.js';

/** Rows to start with if the height is unknown. */
const FIRST_ROWS = 1024;

export interface PageShape {
  /** In pixels. */
  readonly width: number;
  /** Undefined: unknown before the page's end. */
  readonly height: number | undefined;
  readonly pixels: Pixels;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly maxPixels: number;
}

export type PageRows = Pick<RawPage, 'width' | 'height' | 'pixels' | 'stride' | 'data'>;

export interface PageBuffer {
  /** Not zeroed: hand over only bytes that were written. A `reserve` that grows it replaces the array. */
  readonly data: Uint8Array;
  /** Makes room for this many bytes. @throws ScanError `unsupported` if their rows exceed `maxPixels` */
  reserve(bytes: number): void;
  /** The page of all whole rows within this many bytes. @throws ScanError `driver-failed` if there is none */
  page(bytes: number): PageRows;
}

/** @throws ScanError `unsupported` for a page over `maxPixels`, before anything is allocated */
export function pageBuffer({ width, height, pixels, stride, maxPixels }: PageShape): PageBuffer {
  assertPixels(width, height ?? 1, maxPixels);
  const mostRows = Math.floor(maxPixels / width);
  let data = uninitialisedBytes(stride * (height ?? Math.min(FIRST_ROWS, mostRows)));
  return {
    get data() {
      return data;
    },
    reserve(bytes) {
      assertPixels(width, Math.floor(bytes / stride), maxPixels);
      if (bytes <= data.length) return;
      const larger = uninitialisedBytes(Math.max(bytes, Math.min(2 * data.length, stride * mostRows)));
      larger.set(data);
      data = larger;
    },
    page(bytes) {
      const rows = Math.floor(bytes / stride);
      if (rows === 0) throw new ScanError('driver-failed', 'The scanner ended a page before its first row.');
      return { width, height: rows, pixels, stride, data: data.subarray(0, rows * stride) };
    },
  };
}
