/** Tiles of about a millimetre: how light the paper is there, once what is drawn on it is filled in. */
import type { Cells } from './cells.js';

export interface Tiles {
  readonly width: number;
  readonly height: number;
  /** Cells along the side of a tile. */
  readonly side: number;
  /** Tiles a millimetre. */
  readonly perMm: number;
  /** The lightest cell of each. */
  readonly lightest: Uint8Array;
  /** The darkest cell of each. */
  readonly darkest: Uint8Array;
}

/** Cells left over at the right and lower edge belong to the last tiles. */
export function tilesOf({ width: wide, height: high, perMm, mean }: Cells): Tiles {
  const side = Math.max(1, Math.round(perMm));
  const width = Math.max(1, Math.floor(wide / side));
  const height = Math.max(1, Math.floor(high / side));
  const lightest = new Uint8Array(width * height);
  const darkest = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < high; y++) {
    const row = Math.min(height - 1, Math.floor(y / side)) * width;
    for (let tile = 0, x = 0; tile < width; tile++) {
      const end = tile === width - 1 ? wide : x + side;
      let most = 0;
      let least = 255;
      for (; x < end; x++) {
        const value = mean[y * wide + x]!;
        if (value > most) most = value;
        if (value < least) least = value;
      }
      if (most > lightest[row + tile]!) lightest[row + tile] = most;
      if (least < darkest[row + tile]!) darkest[row + tile] = least;
    }
  }
  return { width, height, side, perMm: perMm / side, lightest, darkest };
}

type Extreme = 'lightest' | 'darkest';

/**
 * Fills what is darker than its surroundings and narrower than twice the radius (a grey closing); slopes stay, also at
 * the edges, where the tones go on outside.
 * @param first `lightest`: a closing; `darkest`: an opening, which fills what is lighter
 */
export function filled(tones: Uint8Array, width: number, height: number, radius: number, first: Extreme): Uint8Array {
  const [wide, high] = [width + 2 * radius, height + 2 * radius];
  const padded = new Uint8Array(wide * high);
  for (let y = 0; y < high; y++) {
    const from = Math.min(height - 1, Math.max(0, y - radius)) * width;
    for (let x = 0; x < wide; x++) padded[y * wide + x] = tones[from + Math.min(width - 1, Math.max(0, x - radius))]!;
  }
  const second: Extreme = first === 'lightest' ? 'darkest' : 'lightest';
  const whole = spread(spread(padded, wide, high, radius, first), wide, high, radius, second);
  const result = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (y + radius) * wide + radius;
    result.set(whole.subarray(from, from + width), y * width);
  }
  return result;
}

/** The lightest or darkest tone within a square of 2 · radius + 1. */
function spread(tones: Uint8Array, width: number, height: number, radius: number, extreme: Extreme): Uint8Array {
  const across = new Uint8Array(tones.length);
  for (let y = 0; y < height; y++) along(tones, across, y * width, 1, width, radius, extreme);
  const result = new Uint8Array(tones.length);
  for (let x = 0; x < width; x++) along(across, result, x, width, height, radius, extreme);
  return result;
}

/** One row or column: the extreme of a sliding window by a queue of candidates. */
function along(
  from: Uint8Array,
  to: Uint8Array,
  start: number,
  pitch: number,
  count: number,
  radius: number,
  extreme: Extreme,
): void {
  const flip = extreme === 'lightest' ? 0 : 255;
  const queue = new Int32Array(count);
  let head = 0;
  let tail = 0;
  for (let i = 0; i < count + radius; i++) {
    if (i < count) {
      const value = from[start + i * pitch]! ^ flip;
      while (tail > head && (from[start + queue[tail - 1]! * pitch]! ^ flip) <= value) tail--;
      queue[tail++] = i;
    }
    const at = i - radius;
    if (at < 0) continue;
    while (queue[head]! < at - radius) head++;
    to[start + at * pitch] = from[start + queue[head]! * pitch]!;
  }
}
