/** A QOI file into pixels. Runs in a thread. */
import type { DecodedImage } from '@platen/core/plugin';
import { placeOf } from './encode.js';

const HEADER = 14;
const END = 8;
/** Of a file that claims more, nothing is allocated. */
const MAX_PIXELS = 400_000_000;

// Yours: files come from devices. Whatever is wrong with one is an Error, never half a page.
export function decode(bytes: Uint8Array): DecodedImage & { readonly data: Uint8Array<ArrayBuffer> } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < HEADER + END || file.toString('latin1', 0, 4) !== 'qoif')
    throw new Error('This is not a QOI file.');
  const [width, height] = [file.readUInt32BE(4), file.readUInt32BE(8)];
  const count = width * height;
  if (count === 0 || count > MAX_PIXELS) throw new Error(`A QOI file of ${width} x ${height} pixels is not decoded.`);
  const data = new Uint8Array(count * 3);
  const seen = new Uint8Array(64 * 3);
  let [r, g, b] = [0, 0, 0];
  let at = HEADER;
  for (let i = 0, run = 0; i < count; i++) {
    if (run > 0) run--;
    else {
      if (at >= file.length - END) throw new Error(`The QOI file ends after ${i} of ${count} pixels.`);
      const code = file[at++]!;
      if (code >= 0xfe) {
        [r, g, b] = [file[at]!, file[at + 1]!, file[at + 2]!];
        at += code === 0xff ? 4 : 3; // with and without alpha
      } else if (code >= 0xc0) run = code - 0xc0;
      else if (code >= 0x80) {
        const [green, rest] = [code - 0x80 - 32, file[at++]!];
        r = (r + green + (rest >> 4) - 8) & 255;
        g = (g + green) & 255;
        b = (b + green + (rest & 15) - 8) & 255;
      } else if (code >= 0x40) {
        r = (r + ((code >> 4) & 3) - 2) & 255;
        g = (g + ((code >> 2) & 3) - 2) & 255;
        b = (b + (code & 3) - 2) & 255;
      } else [r, g, b] = [seen[code * 3]!, seen[code * 3 + 1]!, seen[code * 3 + 2]!];
      const place = placeOf(r, g, b) * 3;
      seen[place] = r;
      seen[place + 1] = g;
      seen[place + 2] = b;
    }
    data[i * 3] = r;
    data[i * 3 + 1] = g;
    data[i * 3 + 2] = b;
  }
  return { width, height, pixels: 'rgb24', stride: width * 3, data };
}
