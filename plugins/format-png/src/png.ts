/** The format Png: colour and grey through sharp, 1-bit through a writer of our own. */
import { packedRows, type Format } from '@platen/core/plugin';
import sharp from 'sharp';
import { encodeBilevelPng } from './bilevelPng.js';
import { decodePng } from './decodePng.js';
import type { PngOptions } from './plugin.js';

/** @param options.compressionLevel 0 to 9; the plugin's default when absent */
export function pngFormat({ compressionLevel = 2 }: Partial<PngOptions> = {}): Format {
  return {
    name: 'Png',
    aliases: ['png'],
    mimeType: 'image/png',

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      if (page.pixels === 'bw1') return encodeBilevelPng(page, compressionLevel, signal);
      const { width, height } = page;
      const channels = page.pixels === 'gray8' ? 1 : 3;
      // The pixels are in memory already: a limit here would only refuse a page that has been scanned.
      const image = sharp(packedRows(page), { raw: { width, height, channels }, limitInputPixels: false });
      if (channels === 1) image.toColourspace('b-w');
      // Filters are chosen row by row only when adaptive, which doubles the time and saves nothing on scanned paper.
      return image.withDensity(page.dpi).png({ compressionLevel, adaptiveFiltering: false }).toBuffer();
    },

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodePng(bytes);
    },
  };
}
