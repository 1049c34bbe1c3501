/** One side of a sheet: an image file whose header was checked. */
import { lateRequire } from '@platen/core/plugin';
import type sharpPackage from 'sharp';
import type { ImageSize } from './layout.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** An A4 sheet at 1200 dpi fits; a decompression bomb does not. */
export const MAX_PIXELS = 144_000_000;
export const MAX_BYTES = 256 * 1024 * 1024;
const limit = `at most ${MAX_PIXELS / 1e6} megapixels, an A4 sheet at 1200 dpi`;

const readable: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpg', tiff: 'tif', webp: 'webp', gif: 'gif' };
export const READABLE = 'PNG, JPEG, TIFF, WebP and GIF';

export interface SheetImage extends ImageSize {
  readonly bytes: Uint8Array;
  /** For a file's name: `png`. */
  readonly extension: string;
}

/** Bytes that cannot be a sheet; the message follows the file's name: "is not an image: it is empty". */
export class InvalidImage extends Error {
  override readonly name = 'InvalidImage';
}

/** @throws InvalidImage for a file that is too large */
export function checkBytes(length: number): void {
  if (length > MAX_BYTES)
    throw new InvalidImage(`is too large (${Math.round(length / 2 ** 20)} MB, at most ${MAX_BYTES / 2 ** 20})`);
}

/**
 * Reads an image's header.
 * @throws InvalidImage
 */
export async function readImage(bytes: Uint8Array): Promise<SheetImage> {
  if (bytes.length === 0) throw new InvalidImage('is not an image: it is empty');
  checkBytes(bytes.length);
  const header = await sharp()(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new InvalidImage(`is not an image that can be read: supported are ${READABLE}`, { cause: error });
    });
  const extension = readable[header.format];
  if (!extension)
    throw new InvalidImage(`has an unsupported format, ${header.format.toUpperCase()}: supported are ${READABLE}`);
  if (header.width * header.height > MAX_PIXELS) {
    throw new InvalidImage(`is too large (${header.width} x ${header.height} pixels, ${limit})`);
  }
  const { width, height } = header.autoOrient;
  // Without a unit the number is libvips' default (72 for a JPEG without density).
  const density = header.resolutionUnit === undefined ? undefined : header.density;
  return { bytes, extension, width, height, density };
}

/**
 * Reads an image to its end, so that a truncated one is found before it is in a tray.
 * @throws InvalidImage
 */
export async function readWhole(bytes: Uint8Array): Promise<SheetImage> {
  const image = await readImage(bytes);
  // Decodes every row and keeps none.
  await sharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    .stats()
    .catch((error: unknown) => {
      throw broken(error);
    });
  return image;
}

/** For an error while the pixels were decoded, which is the cause. */
export function broken(error: unknown): InvalidImage {
  return new InvalidImage('is a damaged or truncated image', { cause: error });
}
