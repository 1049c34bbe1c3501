/** The format Jpeg: colour and grey through sharp; a 1-bit page becomes grey, 0 and 255. */
import { packedRows, toBilevelTiff, type Format, type RawPage } from '@platen/core/plugin';
import sharp, { type Sharp } from 'sharp';
import { decodeJpeg } from './decodeJpeg.js';
import { withJfif } from './jfif.js';

/** From here up colour is kept at full resolution (4:4:4), below it at half (4:2:0). */
const FULL_COLOUR_FROM = 90;
/** What the JPEG library takes. */
const MAX_SIDE = 65_500;

export function jpegFormat(): Format {
  return {
    name: 'Jpeg',
    aliases: ['jpeg', 'jpg'],
    mimeType: 'image/jpeg',

    async encode(page, { quality }, { signal }) {
      signal.throwIfAborted();
      if (page.width > MAX_SIDE || page.height > MAX_SIDE) {
        throw new RangeError(`a JPEG takes up to ${MAX_SIDE} pixels a side; the page has ${page.width} x ${page.height}`);
      }
      const chromaSubsampling = quality >= FULL_COLOUR_FROM ? '4:4:4' : '4:2:0';
      // Optimised Huffman tables cost twice the time for 7% of the size.
      const encoder = open(page).jpeg({ quality, chromaSubsampling, optimiseCoding: false });
      return withJfif(await encoder.toBuffer(), page.dpi);
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodeJpeg(bytes);
    },
  };
}

/** The pixels are in memory already: a limit here would only refuse a page that has been scanned. */
function open(page: RawPage): Sharp {
  const limitInputPixels = false;
  // As a TIFF, 1-bit pixels are unpacked on sharp's threads.
  if (page.pixels === 'bw1') return sharp(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const { width, height } = page;
  const channels = page.pixels === 'gray8' ? 1 : 3;
  const image = sharp(packedRows(page), { raw: { width, height, channels }, limitInputPixels });
  return channels === 1 ? image.toColourspace('b-w') : image;
}
