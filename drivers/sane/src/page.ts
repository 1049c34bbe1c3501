/** Reads one page from a device that was started. */
import { rowBytes, ScanError, type Pixels, type Source } from '@platen/core/plugin';
import type { Handle, Parameters, ReadHow } from './handle.js';
import { statusOf } from './statuses.js';

export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels;
  readonly stride: number;
  readonly data: Uint8Array;
}

/** Lines of some backends end with pixels that do not count; more than this is no line. */
const MOST_PADDING = 64 * 1024;

/** The share of its lines that a page on the flatbed may lack: backends round. What ends earlier is torn; a sheet in a feeder is as long as it is. */
const MOST_MISSING = 0.05;

/** How the bytes of a page lie, as `parameters` announces them after the start. */
interface Layout {
  readonly width: number;
  /** Undefined: not known before the end. */
  readonly height: number | undefined;
  readonly pixels: Pixels;
  readonly stride: number;
  readonly threePass: boolean;
  readonly high: boolean;
}

/**
 * @throws ScanError `unsupported` for a page that is too large or of a kind that Platen does not know, before anything is allocated;
 *   `driver-failed` for one that has no line, or on the flatbed not all of them
 */
export async function readPage(handle: Handle, maxPixels: number, source: Source): Promise<ReadPage> {
  const layout = layoutOf(await handle.parameters());
  const { width, height, pixels, stride } = layout;
  if (height !== undefined) refuseTooLarge(width, height, maxPixels);
  const read = height === undefined ? await readUnknown(handle, layout, maxPixels) : await readKnown(handle, layout, height);
  const rows = Math.floor(read.length / stride);
  if (rows === 0) throw new ScanError('driver-failed', 'The scanner ended a page before its first line.');
  if (source === 'flatbed' && height !== undefined && rows < height * (1 - MOST_MISSING)) {
    throw new ScanError('driver-failed', `The scanner ended its page after ${rows} of ${height} lines: scan it again.`);
  }
  return { width, height: rows, pixels, stride, data: read.subarray(0, rows * stride) };
}

/** @throws ScanError `unsupported` */
export function refuseTooLarge(width: number, height: number, maxPixels: number): void {
  const pixels = width * height;
  if (pixels <= maxPixels) return;
  throw new ScanError('unsupported', `The page has ${width} x ${height} = ${pixels} pixels, more than the ${maxPixels} allowed.`);
}

function layoutOf({ format, depth, pixelsPerLine, bytesPerLine, lines }: Parameters): Layout {
  const threePass = ['red', 'green', 'blue'].includes(format);
  const colour = format === 'rgb' || threePass;
  const known = (colour || format === 'gray') && (depth === 8 || depth === 16 || (depth === 1 && !colour));
  if (!known) throw new ScanError('unsupported', `Platen does not read pages of the format ${format} with ${depth} bits a sample.`);
  const pixels: Pixels = colour ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8';
  const high = depth === 16;
  const stride = (bytesPerLine * (threePass ? 3 : 1)) / (high ? 2 : 1);
  const row = rowBytes(pixels, pixelsPerLine);
  if (pixelsPerLine < 1 || !Number.isInteger(stride) || stride < row || stride > row + MOST_PADDING) {
    throw new ScanError('driver-failed', `The scanner says that ${pixelsPerLine} pixels are ${bytesPerLine} bytes, which cannot be.`);
  }
  return { width: pixelsPerLine, height: lines > 0 ? lines : undefined, pixels, stride, threePass, high };
}

/** What came, straight into the page's own buffer; what comes beyond its end does not count. */
async function readKnown(handle: Handle, { stride, threePass, high }: Layout, height: number): Promise<Uint8Array> {
  // What was not read is not given away: filling it first would take as long as reading it.
  const page = new Uint8Array(Buffer.allocUnsafeSlow(stride * height).buffer);
  let placed = 0;
  let read = 0;
  await readBands(handle, {
    threePass,
    high,
    place(_, length) {
      const start = placed;
      placed += length;
      return placed <= page.length ? page.subarray(start, placed) : undefined;
    },
    onBand(band) {
      if (band.buffer !== page.buffer && read < page.length) page.set(band.subarray(0, page.length - read), read);
      read = Math.min(read + band.length, page.length);
    },
  });
  return page.subarray(0, read);
}

/** A hand scanner, or a feeder that finds the sheet's end. */
async function readUnknown(handle: Handle, { width, stride, threePass, high }: Layout, maxPixels: number): Promise<Uint8Array> {
  const bands: Uint8Array[] = [];
  let bytes = 0;
  let isTooLarge = false;
  const reading = readBands(handle, {
    threePass,
    high,
    onBand(band) {
      if (isTooLarge) return;
      bands.push(band);
      bytes += band.length;
      isTooLarge = width * Math.floor(bytes / stride) > maxPixels;
      if (isTooLarge) void handle.cancel().catch(() => undefined);
    },
  });
  await reading.catch((error: unknown) => {
    if (!isTooLarge) throw error;
  });
  refuseTooLarge(width, Math.floor(bytes / stride), maxPixels);
  const page = new Uint8Array(bytes);
  let end = 0;
  for (const band of bands) {
    page.set(band, end);
    end += band.length;
  }
  return page;
}

/** An empty feeder is no fault before a page, and a torn page in the middle of one. */
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
