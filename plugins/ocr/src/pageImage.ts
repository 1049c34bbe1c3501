/** Preprocessing: a page as grey or 1-bit TIFF at the resolution that the engines read best. */
import { lateRequire, packedRows, toBilevelTiff, type RawPage } from '@platen/core/plugin';
import type { Sharp, default as sharpPackage } from 'sharp';
import { greyTiff } from './greyTiff.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/**
 * Tesseract reads letters of about 30 pixels best, which is 10-point print at 300 dpi. Coarser pages are enlarged (at
 * 75 dpi that takes the error rate of 12-point print from 3.6% to 0), finer ones reduced, which halves the time at 600
 * dpi.
 */
const READING_DPI = 300;
const FINEST_DPI = 400;

/** More enlargement adds nothing; it also bounds the memory for a page with an absurd resolution. */
const MOST_ENLARGED = 4;
/** Pixels; Tesseract takes sides below 32,768. */
const LONGEST_SIDE = 32_000;
/** The resolutions that Tesseract accepts. */
const [LEAST_DPI, MOST_DPI] = [70, 2400];

/** Pixels; a smaller page holds no letter, and Tesseract warns below three. */
const SMALLEST_SIDE = 8;

export interface PageImage {
  /** An uncompressed TIFF file, in a buffer that can be transferred. */
  readonly file: Uint8Array<ArrayBuffer>;
  /** Pixels; the file contains them, too. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch; the file does not contain it. */
  readonly dpi: number;
}

/** Undefined for a page that is too small to hold a letter. sharp's threads do the work. */
export async function pageImage(page: RawPage): Promise<PageImage | undefined> {
  const { width, height, dpi, pixels } = page;
  if (Math.min(width, height) < SMALLEST_SIDE) return undefined;
  const scale = scaleOf(page);
  const imageDpi = Math.min(Math.max(Math.round(dpi * scale), LEAST_DPI), MOST_DPI);
  if (scale === 1 && pixels === 'bw1') {
    return { file: ownBuffer(toBilevelTiff(page)), width, height, dpi: imageDpi };
  }
  if (scale === 1 && pixels === 'gray8') {
    return { file: greyTiff(packedRows(page), width, height), width, height, dpi: imageDpi };
  }
  const source = open(page);
  const [w, h] = [scaled(width, scale), scaled(height, scale)];
  const image = scale === 1 ? source : source.resize(w, h, { fit: 'fill', kernel: 'cubic' });
  const { data, info } = await image.toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { file: greyTiff(data, info.width, info.height), width: info.width, height: info.height, dpi: imageDpi };
}

function scaleOf({ width, height, dpi }: RawPage): number {
  const wanted = dpi < READING_DPI || dpi > FINEST_DPI ? Math.min(READING_DPI / dpi, MOST_ENLARGED) : 1;
  return Math.min(wanted, LONGEST_SIDE / Math.max(width, height));
}

const scaled = (side: number, scale: number): number => Math.max(1, Math.round(side * scale));

function open(page: RawPage): Sharp {
  const limitInputPixels = false;
  if (page.pixels === 'bw1') return sharp()(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const { width, height } = page;
  const image = sharp()(packedRows(page), {
    raw: { width, height, channels: page.pixels === 'gray8' ? 1 : 3 },
    limitInputPixels,
  });
  return page.pixels === 'gray8' ? image.toColourspace('b-w') : image.greyscale();
}

/** Node puts small buffers into a shared one, which cannot be transferred. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
