/** A page in strips, from a buffered transfer. */
import { packedRows, rowBytes, ScanError } from '@platen/core/plugin';
import { pageBuffer, type Frame, type PageBuffer, type PageRows } from '@platen/driver-kit';
import { NONE, PT } from '../protocol/constants.js';
import { bilevel, colour, type Colour, createRowReader, grey, indexed, type RowReader, type Samples } from './rows.js';
import type { ImageInfo } from '../protocol/structures.js';

/** TW_IMAGEMEMXFER without its memory. */
interface Strip {
  readonly compression: number;
  /** 0: not reported. */
  readonly bytesPerRow: number;
  readonly columns: number;
  readonly rows: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly bytesWritten: number;
  /** More of this strip follows. */
  readonly part: boolean;
}

export interface Strips {
  push(frame: Frame): void;
  /** The height is the number of rows received: sources do not know the height, or report a wrong one. */
  finish(): PageRows;
}

export interface StripOptions {
  readonly info: ImageInfo;
  readonly maxPixels: number;
  /** A zero is white. */
  readonly vanilla: boolean;
  readonly lowestFirst: boolean;
  readonly palette: readonly Colour[];
}

/** TWON_DONTCARE32: a field that the source did not set. */
export const DONT_CARE = 0xffffffff;
/** A helper's largest buffer: no row is longer. */
export const MOST_BUFFER_BYTES = 64 * 1024 * 1024;

/**
 * `push` throws a ScanError `unsupported` for a page that is too large or of an unknown kind, before
 * anything is allocated.
 */
export function createStrips({ info, maxPixels, vanilla, lowestFirst, palette }: StripOptions): Strips {
  let buffer: PageBuffer | undefined;
  let width = 0;
  /** Bytes per row of the page. */
  let stride = 0;
  let rows: RowReader | undefined;
  /** Bytes of the strip's rows still expected: some sources report every strip as long as the buffer. */
  let bytesLeft = Infinity;
  /** Rows received at the left edge: their order is more reliable than the position that a source reports. */
  let y = 0;
  /** The area covered by strips: the page ends there. */
  const covered = { right: 0, bottom: 0, pixels: 0 };

  /** How to read a strip's rows, and their position in the page. */
  function begin(strip: Strip): RowReader {
    const columns = strip.columns > 0 ? strip.columns : info.width;
    const samples = samplesOf(info, columns, { vanilla, lowestFirst, palette });
    const bytesPerRow = bytesPerRowOf(strip, samples.least);
    if (columns < 1 || samples.least > bytesPerRow || bytesPerRow > MOST_BUFFER_BYTES) {
      const said = `${columns} pixels are ${bytesPerRow} bytes`;
      throw new ScanError('driver-failed', `The driver reports that ${said}, which is impossible.`);
    }
    bytesLeft = strip.rows > 0 ? strip.rows * bytesPerRow : Infinity;
    if (!buffer) {
      width = Math.max(info.width, strip.xOffset + columns);
      stride = rowBytes(samples.pixels, width);
      const height = info.length > 0 ? info.length : undefined;
      buffer = pageBuffer({ width, height, pixels: samples.pixels, stride, maxPixels });
    }
    const page = buffer;
    const left = (strip.xOffset * rowBytes(samples.pixels, 8)) / 8;
    if (!Number.isInteger(left) || strip.xOffset + columns > width) {
      const where = 'begin in the middle of a byte, or beyond the page';
      throw new ScanError('unsupported', `The driver sends tiles that ${where}.`);
    }
    covered.right = Math.max(covered.right, strip.xOffset + columns);
    let at = strip.yOffset;
    return createRowReader(bytesPerRow, samples.least, row => {
      const to = strip.xOffset === 0 ? y++ : at++;
      page.reserve((to + 1) * stride);
      samples.write(row, page.data, to * stride + left);
      covered.pixels += columns;
      covered.bottom = Math.max(covered.bottom, to + 1);
    });
  }

  return {
    push({ header, data }) {
      const strip = stripOf(header);
      // A page may end with an empty strip, whose fields are not set.
      if (data.length === 0 && !rows) return;
      if (strip.compression !== NONE)
        throw new ScanError(
          'unsupported',
          'The driver sends compressed strips, although uncompressed ones were requested.',
        );
      rows ??= begin(strip);
      rows.push(data.subarray(0, bytesLeft));
      bytesLeft = Math.max(0, bytesLeft - data.length);
      if (strip.part) return;
      if (!rows.end())
        throw new ScanError('driver-failed', 'The driver sent a strip that ends in the middle of a row.');
      rows = undefined;
    },
    finish() {
      if (!buffer) throw new ScanError('driver-failed', 'The scanner ended a page before its first row.');
      if (covered.pixels < covered.right * covered.bottom) {
        throw new ScanError('driver-failed', 'The driver sent a page with a missing tile.');
      }
      const page = buffer.page(covered.bottom * stride);
      if (covered.right === width) return page;
      // The page is narrower than announced.
      const narrow = { ...page, width: covered.right };
      return { ...narrow, stride: rowBytes(page.pixels, covered.right), data: packedRows(narrow) };
    },
  };
}

function stripOf(header: Frame['header']): Strip {
  const number = (field: string) => {
    const value = Number(header[field] ?? 0);
    return value === DONT_CARE ? 0 : value;
  };
  return {
    compression: number('compression'),
    bytesPerRow: number('bytesPerRow'),
    columns: number('columns'),
    rows: number('rows'),
    xOffset: number('xOffset'),
    yOffset: number('yOffset'),
    bytesWritten: number('bytesWritten'),
    part: header['part'] === true,
  };
}

/** If the source does not report a row's length: the strip's share, or no padding if the row count is unknown. */
function bytesPerRowOf({ bytesPerRow, rows, bytesWritten }: Strip, least: number): number {
  if (bytesPerRow > 0) return bytesPerRow;
  return rows > 0 ? Math.max(least, Math.floor(bytesWritten / rows)) : least;
}

/** ICAP_PIXELTYPE in the depth from TW_IMAGEINFO. */
function samplesOf(
  info: ImageInfo,
  width: number,
  { vanilla, lowestFirst, palette }: Pick<StripOptions, 'vanilla' | 'lowestFirst' | 'palette'>,
): Samples {
  const { bitsPerPixel, samplesPerPixel, planar, pixelType } = info;
  const refused = () =>
    new ScanError(
      'unsupported',
      `Platen does not read strips of the pixel type ${pixelType} with ${bitsPerPixel} bits per pixel${planar ? ', colour by colour' : ''}.`,
    );
  if (planar && samplesPerPixel > 1) throw refused();
  if (pixelType === PT.PALETTE && (bitsPerPixel === 1 || bitsPerPixel === 4 || bitsPerPixel === 8))
    return indexed(width, bitsPerPixel, palette);
  if (bitsPerPixel === 1) return bilevel(width, !vanilla, lowestFirst);
  if (bitsPerPixel === 4)
    return indexed(
      width,
      4,
      Array.from({ length: 16 }, (_, i): Colour =>
        vanilla ? [255 - 17 * i, 255 - 17 * i, 255 - 17 * i] : [17 * i, 17 * i, 17 * i],
      ),
    );
  if (bitsPerPixel === 8) return grey(width, !vanilla);
  if (bitsPerPixel === 16) return grey(width, !vanilla, 2);
  if (bitsPerPixel === 24 || bitsPerPixel === 32) return colour(width, [0, 1, 2], bitsPerPixel / 8);
  // The higher byte of each sample comes last.
  if (bitsPerPixel === 48) return colour(width, [1, 3, 5], 6);
  throw refused();
}
