/** Pages with known content, in every pixel format. */
import { type Pixels, type RawPage, rowBytes } from '@platen/core/plugin';

export interface TestPageWishes {
  readonly width?: number;
  readonly height?: number;
  readonly dpi?: number;
  readonly pixels?: Pixels;
  /** Bytes of padding at the end of each row. */
  readonly padding?: number;
  readonly sheet?: number;
  readonly side?: 'front' | 'back';
}

/**
 * A page whose pixel at (x, y) can be told from its position: `testPixel`. Padding bytes are 0xAA, so that a reader
 * that mistakes the stride is caught.
 */
export function testPage(wishes: TestPageWishes = {}): RawPage {
  const { width = 64, height = 48, dpi = 300, pixels = 'rgb24', padding = 0, sheet = 1, side = 'front' } = wishes;
  const row = rowBytes(pixels, width);
  const stride = row + padding;
  const data = new Uint8Array(stride * height).fill(0xaa);
  for (let y = 0; y < height; y++) {
    data.fill(0, y * stride, y * stride + row);
    for (let x = 0; x < width; x++) {
      const value = testPixel(pixels, x, y);
      if (pixels === 'rgb24') data.set(value, y * stride + x * 3);
      else if (pixels === 'gray8') data[y * stride + x] = value[0]!;
      else if (value[0]) data[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  return { kind: 'raw', sheet, side, width, height, dpi, pixels, stride, data };
}

/** rgb24: three values, gray8: one, bw1: one, 1 for black. */
export function testPixel(pixels: Pixels, x: number, y: number): number[] {
  if (pixels === 'rgb24') return [(x * 5) & 0xff, (y * 5) & 0xff, (x * 3 + y * 3) & 0xff];
  if (pixels === 'gray8') return [(x * 4 + y * 2) & 0xff];
  return [(x >> 2) % 2 === (y >> 2) % 2 || x === y ? 1 : 0];
}
