/** Pixels into a QOI file (qoiformat.org). Runs in a thread. */
import type { Rows } from './threads.js';

const HEADER = 14;
const LONGEST_RUN = 62;
const END = [0, 0, 0, 0, 0, 0, 0, 1];

// Yours: your format's bytes. `width`, `height`, `dpi` and `pixels` are the page's; in a 1-bit row, 1 is black.
export function encode(rows: Rows): Uint8Array<ArrayBuffer> {
  const { width, height } = rows;
  const count = width * height;
  const file = Buffer.alloc(HEADER + count * 4 + END.length);
  file.write('qoif', 'latin1');
  file.writeUInt32BE(width, 4);
  file.writeUInt32BE(height, 8);
  file[12] = 3; // channels
  const seen = new Int32Array(64).fill(-1);
  const colour = colourOf(rows);
  let at = HEADER;
  let last = 0;
  let run = 0;
  for (let i = 0; i < count; i++) {
    const now = colour(i);
    if (now === last) {
      if (++run === LONGEST_RUN) run = endRun();
      continue;
    }
    if (run > 0) run = endRun();
    const [r, g, b] = [now >> 16, (now >> 8) & 255, now & 255];
    const place = placeOf(r, g, b);
    if (seen[place] === now) file[at++] = place;
    else {
      seen[place] = now;
      const green = wrapped(g - ((last >> 8) & 255));
      const [red, blue] = [wrapped(r - (last >> 16)) - green, wrapped(b - (last & 255)) - green];
      if (green >= -32 && green < 32 && red >= -8 && red < 8 && blue >= -8 && blue < 8) {
        file[at++] = 0x80 | (green + 32);
        file[at++] = ((red + 8) << 4) | (blue + 8);
      } else {
        file[at++] = 0xfe;
        file[at++] = r;
        file[at++] = g;
        file[at++] = b;
      }
    }
    last = now;
  }
  if (run > 0) endRun();
  file.set(END, at);
  return new Uint8Array(file.subarray(0, at + END.length));

  function endRun(): number {
    file[at++] = 0xc0 | (run - 1);
    return 0;
  }
}

/** Where a colour is remembered; opaque. */
export function placeOf(r: number, g: number, b: number): number {
  return (r * 3 + g * 5 + b * 7 + 255 * 11) & 63;
}

/** -128 to 127. */
function wrapped(difference: number): number {
  return (difference << 24) >> 24;
}

/** The colour of the i-th pixel, as 0xRRGGBB. */
function colourOf({ pixels, width, data }: Rows): (i: number) => number {
  if (pixels === 'rgb24') return i => (data[i * 3]! << 16) | (data[i * 3 + 1]! << 8) | data[i * 3 + 2]!;
  if (pixels === 'gray8') return i => data[i]! * 0x010101;
  const row = Math.ceil(width / 8);
  return i => {
    const x = i % width;
    const byte = data[Math.floor(i / width) * row + (x >> 3)]!;
    return (byte & (0x80 >> (x & 7))) === 0 ? 0xffffff : 0;
  };
}
