/** The format Tiff: colour, grey and 1-bit (CCITT G4), all through sharp. */
import { lateRequire, packedRows, toBilevelTiff, type Format, type RawPage } from '@platen/core/plugin';
import type { Sharp, TiffOptions as SharpOptions, default as sharpPackage } from 'sharp';
import { decodeTiff } from './decodeTiff.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

const MM_PER_INCH = 25.4;

/** White is zero: G4's code words are made for white paper, and fax readers assume it whatever the file says. */
const bilevel: SharpOptions = { compression: 'ccittfax4', bitdepth: 1, miniswhite: true };

export interface TiffOptions {
  /** For colour and grey; 1-bit pages are always CCITT G4. */
  readonly compression: 'none' | 'lzw' | 'deflate';
}

/** @param options the plugin's defaults where absent */
export function tiffFormat({ compression = 'lzw' }: Partial<TiffOptions> = {}): Format {
  return {
    name: 'Tiff',
    aliases: ['tiff', 'tif'],
    mimeType: 'image/tiff',
    lossless: true,

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      const perMm = page.dpi / MM_PER_INCH;
      const written: SharpOptions = page.pixels === 'bw1' ? bilevel : { compression, predictor: 'horizontal' };
      return open(page)
        .tiff({ ...written, xres: perMm, yres: perMm, resolutionUnit: 'inch' })
        .toBuffer();
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodeTiff(bytes);
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
