/** The format Jpeg: colour and grey through sharp; a 1-bit page becomes grey, 0 and 255. */
import { lateRequire, packedRows, toBilevelTiff, type Format, type RawPage } from '@platen/core/plugin';
import type { Sharp, default as sharpPackage } from 'sharp';
import { decodeJpeg } from './decodeJpeg.js';
import { withJfif } from './jfif.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** The lowest quality with colour at full resolution (4:4:4); below it, at half (4:2:0). */
const FULL_COLOUR_FROM = 90;
/** The JPEG library's limit, in pixels. */
const MAX_SIDE = 65_500;

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
