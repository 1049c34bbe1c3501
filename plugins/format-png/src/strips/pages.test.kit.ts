/** Pages for tests of the encoder: what scanners give, and what they never do. */
import type { RawPage } from '@platen/core/plugin';

export type Pixel = (x: number, y: number, channel: number) => number;

/** Numbers from 0 to 1 that look random, the same ones for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param padding bytes after each row, which are no pixels */
export function pageOf(pixels: 'gray8' | 'rgb24', width: number, height: number, pixel: Pixel, padding = 0): RawPage {
  const channels = pixels === 'rgb24' ? 3 : 1;
  const stride = width * channels + padding;
  const data = new Uint8Array(stride * height).fill(0x55);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++)
        data[y * stride + x * channels + channel] = pixel(x, y, channel);
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi: 300, pixels, stride, data };
}

const next = numbers(7);
const clamped = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
/** Of four, which is close to that of a sensor. */
const grain = (width: number): number => (next() + next() + next() + next() - 2) * width;

/** By name. Each is new wherever a pixel of it is random. */
export const kinds: Readonly<Record<string, Pixel>> = {
  'all black': () => 0,
  'all white': () => 255,
  'pure noise': () => Math.floor(next() * 256),
  checkerboard: (x, y) => (((x >> 4) + (y >> 4)) & 1 ? 255 : 0),
  gradient: (x, y, channel) => (x + 2 * y + 85 * channel) & 255,
  /** Strokes on paper, in the noise of a sensor. */
  text: (x, y, channel) =>
    clamped((y % 40 < 24 && (x * 7 + (y >> 3) * 13) % 50 < 17 ? 40 : 238 - 4 * channel) + grain(6)),
  /** The same without the noise. */
  clean: (x, y) => (y % 40 < 24 && (x * 7 + (y >> 3) * 13) % 50 < 17 ? 40 : 255),
  /** What changes slowly, in a little noise. */
  photo: (x, y, channel) => clamped(128 + 90 * Math.sin(x / 97 + channel) * Math.cos(y / 61) + grain(3)),
};
