/** A JPEG file's pixels: grey stays grey, the rest becomes colour. */
import { lateRequire, type DecodedImage } from '@platen/core/plugin';
import type sharpPackage from 'sharp';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** Files with more pixels are refused before they are decoded: A3 at 1200 dpi has 278 million. */
const MAX_PIXELS = 300_000_000;

export async function decodeJpeg(bytes: Uint8Array): Promise<DecodedImage> {
  // Harmless oddities in devices' files are warnings; a file that ends early is an error.
  const image = sharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, space } = await image.metadata();
  if (format !== 'jpeg') throw new TypeError(`not a JPEG but ${format}`);
  const { data, info } = await image
    .toColourspace(space === 'b-w' ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: channels === 1 ? 'gray8' : 'rgb24', stride: width * channels, data };
}
