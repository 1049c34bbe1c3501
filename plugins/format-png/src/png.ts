/** The format Png: colour and grey on threads of its own, or through sharp where a level is given; 1-bit through zlib. */
import { fromBilevelTiff, lateRequire, packedRows, type DecodedImage, type Format } from '@platen/core/plugin';
import type sharpPackage from 'sharp';
import { encodeBilevelPng } from './bilevelPng.js';
import type { StripEncoder } from './strips/stripEncoder.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** Files with more pixels are refused before they are decoded: A3 at 1200 dpi has 278 million. */
const MAX_PIXELS = 300_000_000;

/** The background of transparent pixels. */
const PAPER = '#fff';

export interface PngOptions {
  /** zlib's, 0 (none) to 9 (smallest). Absent: our own encoder for colour and grey, and 2 for 1-bit pages. */
  readonly compressionLevel?: number;
}

/** Of 1-bit pages, where no level is given. */
const BILEVEL_LEVEL = 2;

export function pngFormat(strips: StripEncoder, { compressionLevel }: PngOptions = {}): Format {
  return {
    name: 'Png',
    aliases: ['png'],
    mimeType: 'image/png',
    lossless: true,

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      if (page.pixels === 'bw1') return encodeBilevelPng(page, compressionLevel ?? BILEVEL_LEVEL, signal);
      if (compressionLevel === undefined) return strips.encode(page, signal);
      const { width, height } = page;
      const channels = page.pixels === 'gray8' ? 1 : 3;
      // The pixels are in memory already: a limit would only refuse a scanned page.
      const image = sharp()(packedRows(page), { raw: { width, height, channels }, limitInputPixels: false });
      if (channels === 1) image.toColourspace('b-w');
      // Adaptive filtering doubles the time and saves nothing on scanned paper.
      return image.withDensity(page.dpi).png({ compressionLevel, adaptiveFiltering: false }).toBuffer();
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodePng(bytes);
    },
  };
}

/** A PNG file's pixels: 1-bit grey stays 1-bit, grey stays grey, the rest becomes colour. */
async function decodePng(bytes: Uint8Array): Promise<DecodedImage> {
  const image = sharp()(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, space, hasAlpha, bitsPerSample } = await image.metadata();
  if (format !== 'png') throw new TypeError(`not a PNG but ${format}`);
  const grey = space === 'b-w' || space === 'grey16';
  if (grey && bitsPerSample === 1 && !hasAlpha) {
    return fromBilevelTiff(await image.toColourspace('b-w').tiff({ bitdepth: 1, compression: 'none' }).toBuffer());
  }
  const { data, info } = await image
    .flatten({ background: PAPER })
    .toColourspace(grey ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: channels === 1 ? 'gray8' : 'rgb24', stride: width * channels, data };
}
