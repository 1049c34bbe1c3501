/** The format Jpeg: colour and grey through sharp; a 1-bit page becomes grey, 0 and 255. */
import {
  lateRequire,
  packedRows,
  toBilevelTiff,
  type DecodedImage,
  type Format,
  type RawPage,
} from '@platen/core/plugin';
import type { Sharp, default as sharpPackage } from 'sharp';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** The lowest quality with colour at full resolution (4:4:4); below it, at half (4:2:0). */
const FULL_COLOUR_FROM = 90;
/** The JPEG library's limit, in pixels. */
const MAX_SIDE = 65_500;
/** Files with more pixels are refused before they are decoded: A3 at 1200 dpi has 278 million. */
const MAX_PIXELS = 300_000_000;
/** Bytes of a JPEG's start marker. */
const START = 2;

export function jpegFormat(): Format {
  return {
    name: 'Jpeg',
    aliases: ['jpeg', 'jpg'],
    mimeType: 'image/jpeg',
    lossless: false,

    async encode(page, { quality }, { signal }) {
      signal.throwIfAborted();
      if (page.width > MAX_SIDE || page.height > MAX_SIDE) {
        throw new RangeError(
          `a JPEG takes up to ${MAX_SIDE} pixels a side; the page has ${page.width} x ${page.height}`,
        );
      }
      const chromaSubsampling = quality >= FULL_COLOUR_FROM ? '4:4:4' : '4:2:0';
      // Optimised Huffman tables save 7% of the size and double the time.
      const encoder = open(page).jpeg({ quality, chromaSubsampling, optimiseCoding: false });
      return withJfif(await encoder.toBuffer(), page.dpi);
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodeJpeg(bytes);
    },
  };
}

/** The pixels are in memory already: a limit would only refuse a scanned page. */
function open(page: RawPage): Sharp {
  const limitInputPixels = false;
  // sharp takes raw pixels of eight bits or more; it unpacks a 1-bit TIFF in its own threads.
  if (page.pixels === 'bw1') return sharp()(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const { width, height } = page;
  const channels = page.pixels === 'gray8' ? 1 : 3;
  const image = sharp()(packedRows(page), { raw: { width, height, channels }, limitInputPixels });
  return channels === 1 ? image.toColourspace('b-w') : image;
}

/**
 * Inserts a JFIF header, which holds the resolution (JFIF 1.02, "JFIF syntax"), after the start marker of a JPEG without
 * one. sharp stores a resolution as EXIF only, which many readers ignore.
 * @param dpi rounded to the field's integer
 */
function withJfif(jpeg: Uint8Array, dpi: number): Uint8Array {
  const head = Buffer.from('ffd8ffe000104a46494600010201000000000000', 'hex');
  const density = Math.min(Math.round(dpi), 0xffff);
  head.writeUInt16BE(density, 14);
  head.writeUInt16BE(density, 16);
  return Buffer.concat([head, jpeg.subarray(START)]);
}

/** A JPEG file's pixels: grey stays grey, the rest becomes colour. */
async function decodeJpeg(bytes: Uint8Array): Promise<DecodedImage> {
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
