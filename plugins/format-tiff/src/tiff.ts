/** The format Tiff: colour, grey and 1-bit (CCITT G4), all through sharp. */
import { packedRows, toBilevelTiff, type Format, type RawPage } from '@platen/core/plugin';
import sharp, { type Sharp, type TiffOptions as Written } from 'sharp';
import { decodeTiff } from './decodeTiff.js';
import type { TiffOptions } from './plugin.js';

const MM_PER_INCH = 25.4;

/** G4's code words are made for white paper, and fax readers take a file to be so whatever it says: white is zero. */
const bilevel: Written = { compression: 'ccittfax4', bitdepth: 1, miniswhite: true };

/** @param options.compression of colour and grey; the plugin's default when absent */
export function tiffFormat({ compression = 'lzw' }: Partial<TiffOptions> = {}): Format {
  return {
    name: 'Tiff',
    aliases: ['tiff', 'tif'],
    mimeType: 'image/tiff',

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      const perMm = page.dpi / MM_PER_INCH;
      const written: Written = page.pixels === 'bw1' ? bilevel : { compression, predictor: 'horizontal' };
      return open(page).tiff({ ...written, xres: perMm, yres: perMm, resolutionUnit: 'inch' }).toBuffer();
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodeTiff(bytes);
    },
  };
}

/** The pixels are in memory already: a limit here would only refuse a page that has been scanned. */
function open(page: RawPage): Sharp {
  const limitInputPixels = false;
  // sharp takes raw pixels of eight bits and more; a TIFF of one bit it unpacks on its threads.
  if (page.pixels === 'bw1') return sharp(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const { width, height } = page;
  const channels = page.pixels === 'gray8' ? 1 : 3;
  const image = sharp(packedRows(page), { raw: { width, height, channels }, limitInputPixels });
  return channels === 1 ? image.toColourspace('b-w') : image;
}
