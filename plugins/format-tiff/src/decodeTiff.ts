/** A TIFF file's pixels: 1-bit grey stays 1-bit, grey stays grey, the rest becomes colour. */
import { fromBilevelTiff, lateRequire, type DecodedImage } from '@platen/core/plugin';
import type sharpPackage from 'sharp';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** Files with more pixels are refused before they are decoded: A3 at 1200 dpi has 278 million. */
const MAX_PIXELS = 300_000_000;

/** The background of transparent pixels. */
const PAPER = '#fff';

/** The first image of the file. */
export async function decodeTiff(bytes: Uint8Array): Promise<DecodedImage> {
  const image = sharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, space, hasAlpha, bitsPerSample } = await image.metadata();
  if (format !== 'tiff') throw new TypeError(`not a TIFF but ${format}`);
  const grey = space === 'b-w' || space === 'grey16';
  if (grey && bitsPerSample === 1 && !hasAlpha) {
    const plain = image.toColourspace('b-w').tiff({ bitdepth: 1, compression: 'none', miniswhite: true });
    return fromBilevelTiff(await plain.toBuffer());
  }
  const { data, info } = await image
    .flatten({ background: PAPER })
    .toColourspace(grey ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: channels === 1 ? 'gray8' : 'rgb24', stride: width * channels, data };
}
