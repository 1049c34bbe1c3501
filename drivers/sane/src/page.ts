/** Reads one page from a device that was started. */
import { rowBytes, ScanError, type Pixels, type Source } from '@platen/core/plugin';
import { pageBuffer, rowsOfArea, statusOf, type AreaSize, type PageBuffer, type PageRows } from '@platen/driver-kit';
import type { Handle, Parameters, ReadHow } from './handle.js';

/** Some backends pad their lines; a line with more padding than this is invalid. */
const MOST_PADDING = 64 * 1024;

/**
 * The share of lines that a page may lack, because backends round. A shorter one from the flatbed is torn. A sheet in a
 * feeder may have any length, but in whole lines (SANE standard, 3.2): one that ends within a line is torn too.
 */
const MOST_MISSING = 0.05;

/** The layout of a page's bytes, as `parameters` reports it after the start. */
interface Layout {
  readonly width: number;
  /** Undefined: unknown before the end. */
  readonly height: number | undefined;
  readonly pixels: Pixels;
  readonly stride: number;
  readonly threePass: boolean;
  readonly high: boolean;
}

export interface PageLimits {
  readonly maxPixels: number;
  readonly source: Source;
  /** A larger page is cut to this size, in pixels; one from the feeder that is shorter gets background below. */
  readonly cut?: AreaSize | undefined;
}

/**
 * @throws ScanError `unsupported` for a page that is too large or of a format unknown to Platen, before anything
 *   is allocated; `driver-failed` for a page without a line, or a torn page
 */
export async function readPage(handle: Handle, { maxPixels, source, cut }: PageLimits): Promise<PageRows> {
  const layout = layoutOf(await handle.parameters());
  const { height } = layout;
  const buffer = pageBuffer({ ...layout, maxPixels });
  const bytes = await (height === undefined ? readUnknown : readKnown)(handle, layout, buffer);
  const page = buffer.page(bytes);
  const isShort = height !== undefined && page.height < height * (1 - MOST_MISSING);
  if (isShort && (source === 'flatbed' || bytes % layout.stride > 0)) {
    const came = `${page.height} of ${height} lines`;
    throw new ScanError('driver-failed', `The scanner ended its page after ${came}. Scan it again.`);
  }
  return cut ? rowsOfArea(page, cut, source === 'feeder') : page;
}

/** @throws ScanError `unsupported` for a format or depth unknown to Platen */
export function assertReadable({ format, depth }: Pick<Parameters, 'format' | 'depth'>): void {
  pixelsOf(format, depth);
}

function pixelsOf(format: string, depth: number): Pixels {
  const colour = format === 'rgb' || isPlane(format);
  const known = (colour || format === 'gray') && (depth === 8 || depth === 16 || (depth === 1 && !colour));
  if (!known)
    throw new ScanError(
      'unsupported',
      `Platen does not read pages of the format ${format} with ${depth} bits per sample.`,
    );
  return colour ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8';
}

/** One colour of a page in three passes. */
const isPlane = (format: string) => ['red', 'green', 'blue'].includes(format);

function layoutOf({ format, depth, pixelsPerLine, bytesPerLine, lines }: Parameters): Layout {
  const pixels = pixelsOf(format, depth);
  const threePass = isPlane(format);
  const high = depth === 16;
  const stride = (bytesPerLine * (threePass ? 3 : 1)) / (high ? 2 : 1);
  const row = rowBytes(pixels, pixelsPerLine);
  if (pixelsPerLine < 1 || !Number.isInteger(stride) || stride < row || stride > row + MOST_PADDING) {
    throw new ScanError(
      'driver-failed',
      `The scanner reports an impossible line: ${pixelsPerLine} pixels in ${bytesPerLine} bytes.`,
    );
  }
  return { width: pixelsPerLine, height: lines > 0 ? lines : undefined, pixels, stride, threePass, high };
}

/** Reads straight into the page's buffer; drops bytes beyond its end. @returns the number of bytes received */
async function readKnown(handle: Handle, { threePass, high }: Layout, { data }: PageBuffer): Promise<number> {
  let placed = 0;
  let read = 0;
  await readBands(handle, {
    threePass,
    high,
    place(_, length) {
      const start = placed;
      placed += length;
      return placed <= data.length ? data.subarray(start, placed) : undefined;
    },
    onBand(band) {
      if (band.buffer !== data.buffer && read < data.length) data.set(band.subarray(0, data.length - read), read);
      read = Math.min(read + band.length, data.length);
    },
  });
  return read;
}

/** For a hand scanner, or a feeder that detects the sheet's end. @returns the number of bytes received */
async function readUnknown(handle: Handle, { threePass, high }: Layout, buffer: PageBuffer): Promise<number> {
  let read = 0;
  let tooLarge: unknown;
  const reading = readBands(handle, {
    threePass,
    high,
    onBand(band) {
      if (tooLarge) return;
      try {
        buffer.reserve(read + band.length);
      } catch (error) {
        tooLarge = error;
        void handle.cancel().catch(() => undefined);
        return;
      }
      buffer.data.set(band, read);
      read += band.length;
    },
  });
  await reading.catch((error: unknown) => {
    if (!tooLarge) throw error;
  });
  if (tooLarge) throw tooLarge;
  return read;
}

/** An empty feeder is normal before a page; in the middle of one, the page is torn. */
async function readBands(handle: Handle, how: ReadHow): Promise<void> {
  let isBegun = false;
  const onBand = (band: Uint8Array) => {
    isBegun = true;
    how.onBand(band);
  };
  try {
    await handle.read({ ...how, onBand });
  } catch (error) {
    if (!isBegun || statusOf(error) !== 'NO_DOCS') throw error;
    throw new ScanError('driver-failed', 'The scanner ran out of paper in the middle of a page.', { cause: error });
  }
}
