/** The format Bmp: rows from the bottom up, in blue, green and red; sharp's threads swap the colours. */
import { rowBytes, type Format, type RawPage } from '@platen/core/plugin';
import { setImmediate } from 'node:timers/promises';
import { decodeBmp } from './decodeBmp.js';
import { bmpHeader, rowStride } from './header.js';
import { swapped, type Rows } from './swapped.js';

/** Bytes that one turn of the event loop copies: a fraction of a millisecond. */
const PIECE = 256 * 1024;
/** Larger in colour, where each piece costs a call of sharp. */
const COLOUR_PIECE = 2 * 1024 * 1024;

export function bmpFormat(): Format {
  return {
    name: 'Bmp',
    aliases: ['bmp'],
    mimeType: 'image/bmp',
    lossless: true,

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

    async decode(bytes, { signal }) {
      signal.throwIfAborted();
      return decodeBmp(bytes, signal);
    },
  };
}

/** The piece's own rows, one turn of the event loop later. */
function untouched(piece: RawPage): Promise<Rows> {
  return setImmediate(piece);
}
