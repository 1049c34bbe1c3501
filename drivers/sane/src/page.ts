/** Reads one page from a device that was started. */
import { rowBytes, ScanError, type Pixels, type Source } from '@platen/core/plugin';
import { pageBuffer, statusOf, type PageBuffer, type PageRows } from '@platen/driver-kit';
import type { Handle, Parameters, ReadHow } from './handle.js';

/** Lines of some backends end with pixels that do not count; more than this is no line. */
const MOST_PADDING = 64 * 1024;

/**
 * The share of its lines that a page on the flatbed may lack: backends round. What ends earlier is torn; a sheet in a
 * feeder is as long as it is.
 */
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
 * @throws ScanError `unsupported` for a page that is too large or of a kind that Platen does not know, before anything
 *   is allocated; `driver-failed` for one that has no line, or on the flatbed not all of them
 */
export async function readPage(handle: Handle, maxPixels: number, source: Source): Promise<PageRows> {
  const layout = layoutOf(await handle.parameters());
  const { height } = layout;
  const buffer = pageBuffer({ ...layout, maxPixels });
  const bytes = await (height === undefined ? readUnknown : readKnown)(handle, layout, buffer);
  const page = buffer.page(bytes);
  if (source === 'flatbed' && height !== undefined && page.height < height * (1 - MOST_MISSING)) {
    const came = `${page.height} of ${height} lines`;
    throw new ScanError('driver-failed', `The scanner ended its page after ${came}: scan it again.`);
  }
  return page;
}

function layoutOf({ format, depth, pixelsPerLine, bytesPerLine, lines }: Parameters): Layout {
  const threePass = ['red', 'green', 'blue'].includes(format);
  const colour = format === 'rgb' || threePass;
  const known = (colour || format === 'gray') && (depth === 8 || depth === 16 || (depth === 1 && !colour));
  if (!known)
    throw new ScanError(
      'unsupported',
      `Platen does not read pages of the format ${format} with ${depth} bits a sample.`,
    );
  const pixels: Pixels = colour ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8';
  const high = depth === 16;
  const stride = (bytesPerLine * (threePass ? 3 : 1)) / (high ? 2 : 1);
  const row = rowBytes(pixels, pixelsPerLine);
  if (pixelsPerLine < 1 || !Number.isInteger(stride) || stride < row || stride > row + MOST_PADDING) {
    throw new ScanError(
      'driver-failed',
      `The scanner says that ${pixelsPerLine} pixels are ${bytesPerLine} bytes, which cannot be.`,
    );
  }
  return { width: pixelsPerLine, height: lines > 0 ? lines : undefined, pixels, stride, threePass, high };
}

/** Straight into the page's buffer; what comes beyond its end does not count. @returns how many bytes came */
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

/** A hand scanner, or a feeder that finds the sheet's end. @returns how many bytes came */
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
