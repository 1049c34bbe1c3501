/** One side of a sheet: an image file's bytes with a checked header. */
import sharp from 'sharp';
import type { ImageSize } from './layout.js';

/** An A4 sheet at 1200 dpi fits; a decompression bomb does not. */
export const MOST_PIXELS = 144_000_000;
export const MOST_BYTES = 256 * 1024 * 1024;
const most = `at most ${MOST_PIXELS / 1e6} megapixels, an A4 sheet at 1200 dpi`;

const readable: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpg', tiff: 'tif', webp: 'webp', gif: 'gif' };
export const READABLE = 'PNG, JPEG, TIFF, WebP and GIF';

export interface SheetImage extends ImageSize {
  readonly bytes: Uint8Array;
  /** For a file's name: `png`. */
  readonly extension: string;
}

/** Why bytes cannot be a sheet; the message follows the file's name: "is no image: it is empty". */
export class NoImage extends Error {
  override readonly name = 'NoImage';
}

/** @throws NoImage for more bytes than are worth reading */
export function checkBytes(length: number): void {
  if (length > MOST_BYTES) throw new NoImage(`is no image of a sane size (${Math.round(length / 2 ** 20)} MB, at most ${MOST_BYTES / 2 ** 20})`);
}

/**
 * Reads an image's header.
 * @throws NoImage
 */
export async function readImage(bytes: Uint8Array): Promise<SheetImage> {
  if (bytes.length === 0) throw new NoImage('is no image: it is empty');
  checkBytes(bytes.length);
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new NoImage(`is no image that can be read: ${READABLE} can`, { cause: error });
    });
  const extension = readable[header.format];
  if (!extension) throw new NoImage(`is no image that a tray takes: it is ${header.format.toUpperCase()}, and ${READABLE} are taken`);
  if (header.width * header.height > MOST_PIXELS) {
    throw new NoImage(`is no image of a sane size (${header.width} x ${header.height} pixels, ${most})`);
  }
  const { width, height } = header.autoOrient;
  // Without a unit the number is libvips' own (72 for a JPEG that says nothing).
  const density = header.resolutionUnit === undefined ? undefined : header.density;
  return { bytes, extension, width, height, density };
}

/**
 * Reads an image to its end, so that one that is cut short is found out before it lies in a tray.
 * @throws NoImage
 */
export async function readWhole(bytes: Uint8Array): Promise<SheetImage> {
  const image = await readImage(bytes);
  // Decodes every row, and keeps none.
  await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true })
    .stats()
    .catch((error: unknown) => {
      throw broken(error);
    });
  return image;
}

/** What went wrong while an image's pixels were read; the library's own words are the cause. */
export function broken(error: unknown): NoImage {
  return new NoImage('is a broken image: it is damaged or cut short', { cause: error });
}
