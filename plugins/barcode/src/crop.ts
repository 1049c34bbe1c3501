/** Cuts a piece out of a picture: turned upright, enlarged, its tones spread. */
import { sizeOf, type Piece } from './geometry.js';
import { apply, otsu, spread } from './tone.js';

export interface Picture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What lies beyond the picture is paper. */
const PAPER = 255;

/** @returns rows without padding, in the size of `sizeOf(piece)`, by linear interpolation */
export function cut(from: Picture, piece: Piece): Uint8Array {
  const { width, height } = sizeOf(piece);
  const to = new Uint8Array(width * height);
  const { angle, scale, centre } = piece;
  const [cos, sin] = [Math.cos(angle) / scale, Math.sin(angle) / scale];
  for (let y = 0; y < height; y++) {
    // The middle of the piece's pixel, half a pixel off for the middles of the picture's.
    const [along, across] = [0.5 - width / 2, y + 0.5 - height / 2];
    let px = centre[0] + along * cos - across * sin - 0.5;
    let py = centre[1] + along * sin + across * cos - 0.5;
    const [endX, endY] = [px + (width - 1) * cos, py + (width - 1) * sin];
    const inside = Math.min(px, endX) > 0 && Math.min(py, endY) > 0 && Math.max(px, endX) < from.width - 2 && Math.max(py, endY) < from.height - 2;
    for (let x = 0, at = y * width; x < width; x++, at++, px += cos, py += sin) to[at] = inside || within(from, px, py) ? sample(from.bytes, from.width, px, py) : PAPER;
  }
  return to;
}

function within({ width, height }: Picture, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < width - 1 && y < height - 1;
}

function sample(bytes: Uint8Array, width: number, x: number, y: number): number {
  const left = x | 0;
  const top = y | 0;
  const at = top * width + left;
  const fx = x - left;
  const upper = bytes[at]! + (bytes[at + 1]! - bytes[at]!) * fx;
  const lower = bytes[at + width]! + (bytes[at + width + 1]! - bytes[at + width]!) * fx;
  return upper + (lower - upper) * (y - top);
}

/**
 * Averages each `group` of rows into one: bars stay, and grain goes. What is left over at the bottom is dropped.
 * @returns how many rows there are now
 */
export function gather(picture: Uint8Array, width: number, height: number, group: number, to: Uint8Array): number {
  if (group === 1 || height < group) {
    to.set(picture);
    return height;
  }
  const gathered = Math.floor(height / group);
  const sums = new Uint16Array(width);
  for (let row = 0; row < gathered; row++) {
    sums.fill(0);
    for (let i = 0, at = row * group * width; i < group; i++) for (let x = 0; x < width; x++, at++) sums[x]! += picture[at]!;
    for (let x = 0; x < width; x++) to[row * width + x] = sums[x]! / group;
  }
  return gathered;
}

/** Its own black and white, not the page's. */
export function level(picture: Uint8Array, invert: boolean): void {
  apply(spread(otsu(picture, 1), invert), picture);
}
