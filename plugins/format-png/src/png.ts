/** The format Png: colour and grey through sharp, 1-bit through its own encoder. */
import { lateRequire, packedRows, type Format } from '@platen/core/plugin';
import type sharpPackage from 'sharp';
import { encodeBilevelPng } from './bilevelPng.js';
import { decodePng } from './decodePng.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

export interface PngOptions {
  /** 0 (none) to 9 (smallest); above 2, files hardly get smaller. */
  readonly compressionLevel: number;
}

/** @param options the plugin's defaults where absent */
export function pngFormat({ compressionLevel = 2 }: Partial<PngOptions> = {}): Format {
  return {
    name: 'Png',
    aliases: ['png'],
    mimeType: 'image/png',
    lossless: true,

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      if (page.pixels === 'bw1') return encodeBilevelPng(page, compressionLevel, signal);
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
