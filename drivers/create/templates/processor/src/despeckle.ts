/** Removes specks: what is darker, or lighter, than everything in a square around it. Runs in a thread. */
import type { Rows } from './threads.js';

/** Of a request, by the schema of processor.ts. A type, as an interface does not fit where any object does. */
export type Options = {
  /** Side of the largest speck that is removed, in pixels. */
  readonly size: number;
  readonly specks: 'dark' | 'light' | 'both';
};

/**
 * Yours: what you do to a page. `width`, `height`, `dpi` and `pixels` are the page's.
 * @returns the new pixels, rows without padding; undefined if there was no speck
 */
export function despeckle(rows: Rows, options: Options): Uint8Array<ArrayBuffer> | undefined {
  const isBilevel = rows.pixels === 'bw1';
  const samples = { ...rows, data: isBilevel ? unpacked(rows) : rows.data };
  const made = withoutSpecks(samples, rows.pixels === 'rgb24' ? 3 : 1, options);
  return made && isBilevel ? packed(made, rows) : made;
}

/** Each sample is brought into the range of those on the rim of the square around it. */
function withoutSpecks({ width, height, data }: Rows, channels: number, { size, specks }: Options) {
  const made = data.slice();
  const rim = rimOf(size, width * channels, channels);
  const row = width * channels;
  let changed = 0;
  for (let y = size; y < height - size; y++) {
    for (let at = y * row + size * channels; at < y * row + row - size * channels; at++) {
      let [least, most] = [255, 0];
      for (const step of rim) {
        const value = data[at + step]!;
        if (value < least) least = value;
        if (value > most) most = value;
      }
      const value = data[at]!;
      if (value < least && specks !== 'light') made[at] = least;
      else if (value > most && specks !== 'dark') made[at] = most;
      else continue;
      changed++;
    }
  }
  return changed > 0 ? made : undefined;
}

/** How far away the samples of the rim are. */
function rimOf(size: number, row: number, channels: number): Int32Array {
  const steps: number[] = [];
  for (let y = -size; y <= size; y++)
    for (let x = -size; x <= size; x++)
      if (Math.max(Math.abs(x), Math.abs(y)) === size) steps.push(y * row + x * channels);
  return Int32Array.from(steps);
}

/** A byte for each pixel: in a 1-bit row, 1 is black. */
function unpacked({ width, height, data }: Rows): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(width * height);
  const row = Math.ceil(width / 8);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) bytes[at] = data[y * row + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255;
  return bytes;
}

function packed(bytes: Uint8Array, { width, height }: Rows): Uint8Array<ArrayBuffer> {
  const row = Math.ceil(width / 8);
  const data = new Uint8Array(row * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) if (bytes[at] === 0) data[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
  return data;
}
