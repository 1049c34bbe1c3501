/** A page as the engines take it: grey or 1-bit, at a resolution that they read well, in the file format that they read fastest. */
import { packedRows, toBilevelTiff, type RawPage } from '@platen/core/plugin';
import sharp, { type Sharp } from 'sharp';
import { greyTiff } from './greyTiff.js';

/**
 * Tesseract's letters are best at about 30 pixels, which is 10-point print at 300 dpi. Coarser pages are enlarged to it (at 75 dpi that
 * takes the error rate of 12-point print from 3.6% to 0), finer ones reduced, which halves the time at 600 dpi.
 */
const READING_DPI = 300;
const FINEST_DPI = 400;

/** Beyond this an enlargement shows nothing new; it also bounds what a page with an absurd resolution takes. */
const MOST_ENLARGED = 4;
/** Tesseract takes sides below 32,768. */
const LONGEST_SIDE = 32_000;
/** Resolutions that Tesseract takes as such. */
const [LEAST_DPI, MOST_DPI] = [70, 2400];

/** What is smaller holds no letter, and Tesseract complains of less than three pixels. */
const SMALLEST_SIDE = 8;

export interface PageImage {
  /** A TIFF file without compression, in a buffer that may be given away. */
  readonly file: Uint8Array<ArrayBuffer>;
  /** Pixels per inch, to be told besides: the file has none. */
  readonly dpi: number;
}

/** Undefined for a page that is too small to hold a letter. The pixels are worked on by sharp's threads. */
export async function pageImage(page: RawPage): Promise<PageImage | undefined> {
  const { width, height, dpi, pixels } = page;
  if (Math.min(width, height) < SMALLEST_SIDE) return undefined;
  const scale = scaleOf(page);
  const imageDpi = Math.min(Math.max(Math.round(dpi * scale), LEAST_DPI), MOST_DPI);
  if (scale === 1 && pixels === 'bw1') return { file: ownBuffer(toBilevelTiff(page)), dpi: imageDpi };
  if (scale === 1 && pixels === 'gray8') return { file: greyTiff(packedRows(page), width, height), dpi: imageDpi };
  const image = scale === 1 ? open(page) : open(page).resize(scaled(width, scale), scaled(height, scale), { fit: 'fill', kernel: 'cubic' });
  const { data, info } = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { file: greyTiff(data, info.width, info.height), dpi: imageDpi };
}

function scaleOf({ width, height, dpi }: RawPage): number {
  const wanted = dpi < READING_DPI || dpi > FINEST_DPI ? Math.min(READING_DPI / dpi, MOST_ENLARGED) : 1;
  return Math.min(wanted, LONGEST_SIDE / Math.max(width, height));
}

const scaled = (side: number, scale: number): number => Math.max(1, Math.round(side * scale));

function open(page: RawPage): Sharp {
  const limitInputPixels = false;
  if (page.pixels === 'bw1') return sharp(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const { width, height } = page;
  const image = sharp(packedRows(page), { raw: { width, height, channels: page.pixels === 'gray8' ? 1 : 3 }, limitInputPixels });
  return page.pixels === 'gray8' ? image.toColourspace('b-w') : image.greyscale();
}

/** Small buffers may lie in one that others use, too. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
