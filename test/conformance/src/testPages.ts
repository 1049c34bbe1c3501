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
  const data = new Uint8Array(stride * height).fill(padding ? 0xaa : 0);
  const fillRow = { rgb24: fillColour, gray8: fillGrey, bw1: fillBlack }[pixels];
  for (let y = 0; y < height; y++) fillRow(data.subarray(y * stride, y * stride + row), width, y);
  return { kind: 'raw', sheet, side, width, height, dpi, pixels, stride, data };
}

/** rgb24: three values, gray8: one, bw1: one, 1 for black. */
export function testPixel(pixels: Pixels, x: number, y: number): number[] {
  if (pixels === 'rgb24') return [redAt(x), greenAt(y), blueAt(x, y)];
  return [pixels === 'gray8' ? greyAt(x, y) : blackAt(x, y)];
}

const redAt = (x: number): number => (x * 5) & 0xff;
const greenAt = (y: number): number => (y * 5) & 0xff;
const blueAt = (x: number, y: number): number => (x * 3 + y * 3) & 0xff;
const greyAt = (x: number, y: number): number => (x * 4 + y * 2) & 0xff;
const blackAt = (x: number, y: number): number => (((x >> 2) ^ (y >> 2)) & 1 && x !== y ? 0 : 1);

function fillColour(row: Uint8Array, width: number, y: number): void {
  for (let x = 0, at = 0; x < width; x++) {
    row[at++] = redAt(x);
    row[at++] = greenAt(y);
    row[at++] = blueAt(x, y);
  }
}

function fillGrey(row: Uint8Array, width: number, y: number): void {
  for (let x = 0; x < width; x++) row[x] = greyAt(x, y);
}

function fillBlack(row: Uint8Array, width: number, y: number): void {
  row.fill(0);
  for (let x = 0; x < width; x++) row[x >> 3]! |= blackAt(x, y) << (7 - (x & 7));
}
