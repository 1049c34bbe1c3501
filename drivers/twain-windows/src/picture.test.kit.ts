/** The picture that the simulated sources scan, from the formulas in native/simulation/picture.cpp. */
import type { Pixels } from '@platen/core/plugin';
import { PT } from './protocol/constants.js';

export interface Picture {
  /** 1 for the first sheet fed; 0 on the flatbed. */
  readonly sheet: number;
  readonly side: 0 | 1;
  readonly width: number;
  readonly height: number;
  /** Pixels of the sheet that lie before the picture. */
  readonly left?: number;
  readonly top?: number;
  /** The source's settings; absent: those that change nothing. */
  readonly tone?: Tone;
}

/** Levels in TWAIN's scale, what a vendor's capability adds, and a rectangle in pixels of the sheet. */
export interface Tone {
  readonly brightness?: number;
  readonly contrast?: number;
  readonly threshold?: number;
  readonly ink?: number;
  readonly mark?: Box;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Of the mark, and of what surrounds it. */
const [MARK, PAPER] = [32, 224];

function greyAt({ sheet, side, tone = {} }: Picture, x: number, y: number): number {
  const { mark, ink = 0, brightness = 0, contrast = 0 } = tone;
  const isMark = mark && x >= mark.left && x < mark.right && y >= mark.top && y < mark.bottom;
  const level = mark ? (isMark ? MARK : PAPER) : (3 * x + 5 * y + 31 * sheet + 101 * side + ink) & 255;
  if (brightness === 0 && contrast === 0) return level;
  return Math.max(0, Math.min(255, Math.floor((level - 128) * (1 + contrast / 1000) + 128 + brightness / 8)));
}

function isBlackAt(picture: Picture, x: number, y: number): boolean {
  const { sheet, side, tone = {} } = picture;
  if (tone.threshold !== undefined || tone.mark) return greyAt(picture, x, y) < (tone.threshold ?? 128);
  return (((x + 2 * y + 5 * sheet + 3 * side) >> 2) & 1) !== 0;
}
export const placeAt = ({ sheet, side }: Picture, x: number, y: number) =>
  ((x >> 2) + (y >> 3) + sheet + 3 * side) & 15;
export const colours = Array.from({ length: 16 }, (_, i) => [i * 17, 255 - i * 16, i * 5 + 90] as const);

/** A row in Platen's pixels; `y` counts from the top of the picture. @param pixelType ICAP_PIXELTYPE of the source */
export function rowOf(picture: Picture, pixelType: number, line: number): Uint8Array {
  const { width, sheet, side, left = 0, top = 0 } = picture;
  const y = top + line;
  if (pixelType === PT.GRAY) {
    const row = new Uint8Array(width);
    for (let x = 0; x < width; x++) row[x] = greyAt(picture, left + x, y);
    return row;
  }
  if (pixelType === PT.BW) {
    const row = new Uint8Array(Math.ceil(width / 8));
    for (let x = 0; x < width; x++) if (isBlackAt(picture, left + x, y)) row[x >> 3]! |= 0x80 >> (x & 7);
    return row;
  }
  const row = new Uint8Array(width * 3);
  for (let x = left, at = 0; x < left + width; x++, at += 3) {
    const colour = pixelType === PT.PALETTE ? colours[placeAt(picture, x, y)]! : undefined;
    row[at] = colour ? colour[0] : greyAt(picture, x, y);
    row[at + 1] = colour ? colour[1] : x + 7 * y + 13 * sheet;
    row[at + 2] = colour ? colour[2] : 9 * x + y + 57 * side;
  }
  return row;
}

/** The first row of a page that differs from the picture; -1 if none does. */
export function firstWrongRow(
  page: {
    readonly width: number;
    readonly height: number;
    readonly stride: number;
    readonly data: Uint8Array;
    readonly pixels: Pixels;
  },
  picture: Omit<Picture, 'width' | 'height'>,
  pixelType: number,
): number {
  const whole = { ...picture, width: page.width, height: page.height };
  for (let y = 0; y < page.height; y++) {
    const wanted = rowOf(whole, pixelType, y);
    if (Buffer.compare(page.data.subarray(y * page.stride, y * page.stride + wanted.length), wanted) !== 0) return y;
  }
  return -1;
}
