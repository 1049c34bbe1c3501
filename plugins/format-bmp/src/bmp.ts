/** The format Bmp: rows from the bottom up, in blue, green and red; sharp's threads swap the colours. */
import { packedRows, rowBytes, type Format, type RawPage } from '@platen/core/plugin';
import { setImmediate } from 'node:timers/promises';
import sharp, { type Matrix3x3 } from 'sharp';
import { bmpHeader, rowStride } from './header.js';

/** Bytes that one turn of the event loop copies: a fraction of a millisecond. */
const PIECE = 256 * 1024;
/** Larger in colour, where each piece costs a call of sharp. */
const COLOUR_PIECE = 2 * 1024 * 1024;

const redForBlue: Matrix3x3 = [
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
];

export function bmpFormat(): Format {
  return {
    name: 'Bmp',
    aliases: ['bmp'],
    mimeType: 'image/bmp',

    async encode(page, _options, { signal }) {
      signal.throwIfAborted();
      const header = bmpHeader(page);
      const [row, stride] = [rowBytes(page.pixels, page.width), rowStride(page)];
      const file = Buffer.alloc(header.length + stride * page.height);
      file.set(header);
      const step = Math.max(1, Math.floor((page.pixels === 'rgb24' ? COLOUR_PIECE : PIECE) / row));
      for (let first = 0; first < page.height; first += step) {
        const piece = {
          ...page,
          height: Math.min(step, page.height - first),
          data: page.data.subarray(first * page.stride),
        };
        const rows = page.pixels === 'rgb24' ? await swapped(piece) : await untouched(piece);
        signal.throwIfAborted();
        for (let y = 0; y < piece.height; y++) {
          file.set(rows.data.subarray(y * rows.stride, y * rows.stride + row), file.length - (first + y + 1) * stride);
        }
      }
      return file;
    },
  };
}

/** The piece's own rows, one turn of the event loop later. */
function untouched(piece: RawPage): Promise<Pick<RawPage, 'data' | 'stride'>> {
  return setImmediate(piece);
}

async function swapped(piece: RawPage): Promise<Pick<RawPage, 'data' | 'stride'>> {
  const { width, height } = piece;
  // The pixels are in memory already: a limit would only refuse a scanned page.
  const image = sharp(packedRows(piece), { raw: { width, height, channels: 3 }, limitInputPixels: false });
  return { data: await image.recomb(redForBlue).raw().toBuffer(), stride: width * 3 };
}
