/** Pages for tests: rectangles in inches, as a scanner with noise sees them. Drawn here, so that nothing hides an edge. */
import { patchBars, rowBytes, type PatchCode, type Pixels, type RawPage } from '@platen/core/plugin';

/** From the left and top edge, in inches. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Look {
  /** 100 if absent. */
  readonly dpi?: number;
  readonly pixels?: Pixels;
  /** Of the sheet, in degrees clockwise. */
  readonly skew?: number;
  /** Levels of ink and paper. */
  readonly ink?: number;
  readonly paper?: readonly [red: number, green: number, blue: number];
  /** Standard deviation of the noise, in levels. */
  readonly grain?: number;
  /** Of 1-bit pixels, how many have the wrong colour. */
  readonly specks?: number;
  /** Inches of black around the sheet. */
  readonly bed?: number;
  readonly padding?: number;
}

export const edges = ['top', 'right', 'bottom', 'left'] as const;
export type Edge = (typeof edges)[number];

export const sheetWidth = 4;
export const sheetHeight = 4.5;

export interface Patch {
  readonly code: PatchCode;
  readonly edge: Edge;
  /** Of the bars, in inches. */
  readonly length?: number;
  readonly scale?: number;
  /** White between the edge and the first bar. */
  readonly margin?: number;
  /** How much wider each bar is printed. */
  readonly spread?: number;
}

/** The bars of a patch code along an edge of a sheet of 4 by 4.5 inches. */
export function patch({ code, edge, length = 2.5, scale = 1, margin = 0.4, spread = 0 }: Patch): Rect[] {
  return bars(
    [...patchBars[code]].map(bar => (bar === 'w' ? 0.2 : 0.08) * scale),
    { edge, length, margin, space: 0.08 * scale, spread },
  );
}

/** Bars of any thickness, the first one next to the edge. */
export function bars(
  thickness: readonly number[],
  {
    edge,
    length = 2.5,
    margin = 0.4,
    space = 0.08,
    spread = 0,
  }: { edge: Edge; length?: number; margin?: number; space?: number; spread?: number },
): Rect[] {
  let at = margin;
  return thickness.map(each => {
    const [from, thick] = [at - spread / 2, each + spread];
    at += each + space;
    const across = edge === 'top' || edge === 'bottom';
    const start = ((across ? sheetWidth : sheetHeight) - length) / 2;
    if (edge === 'top') return { x: start, y: from, width: length, height: thick };
    if (edge === 'bottom') return { x: start, y: sheetHeight - from - thick, width: length, height: thick };
    if (edge === 'left') return { x: from, y: start, width: thick, height: length };
    return { x: sheetWidth - from - thick, y: start, width: thick, height: length };
  });
}

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator, Numerical Recipes). */
export function dice(seed: number): () => number {
  let state = Math.imul(seed + 1, 2654435761);
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Each pixel is written out here, without closures and arrays: they took nine tenths of the time of these tests. */
export function page(rects: readonly Rect[], look: Look = {}, seed = 1): RawPage {
  const { dpi = 100, pixels = 'gray8', skew = 0, ink = 25, paper = [245, 245, 245] } = look;
  const { grain = 3, specks = 0, bed = 0, padding = 0 } = look;
  const [width, height] = [sheetWidth + 2 * bed, sheetHeight + 2 * bed].map(each => Math.round(each * dpi)) as [
    number,
    number,
  ];
  const stride = rowBytes(pixels, width) + padding;
  const data = new Uint8Array(stride * height).fill(0x55);
  // The numbers of `dice(seed)`.
  let state = Math.imul(seed + 1, 2654435761);
  const [red, green, blue] = paper;
  const row = new Float64Array(width);
  const shares = sharesOf(rects, { dpi, skew, bed, width });
  for (let y = 0; y < height; y++) {
    shares(y, row);
    const start = y * stride;
    if (pixels === 'bw1') data.fill(0, start, start + Math.ceil(width / 8));
    for (let x = 0; x < width; x++) {
      const black = row[x]!;
      let thrown = -1.5;
      for (let times = 0; times < 3; times++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        thrown += (state >>> 0) / 2 ** 32;
      }
      const noise = thrown * 2 * grain;
      const level = green + (ink - green) * black + noise;
      if (pixels === 'gray8') data[start + x] = Math.max(0, Math.min(255, level));
      else if (pixels === 'rgb24') {
        const at = start + x * 3;
        data[at] = Math.max(0, Math.min(255, red + (ink - red) * black + noise));
        data[at + 1] = Math.max(0, Math.min(255, level));
        data[at + 2] = Math.max(0, Math.min(255, blue + (ink - blue) * black + noise));
      } else {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        const isSpeck = (state >>> 0) / 2 ** 32 < specks;
        if (level < (ink + green) / 2 !== isSpeck) data[start + (x >> 3)]! |= 0x80 >> (x & 7);
      }
    }
  }
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi, pixels, stride, data };
}

/** How much of each pixel of a row is black; over two by two points. */
function sharesOf(
  rects: readonly Rect[],
  { dpi, skew, bed, width }: { dpi: number; skew: number; bed: number; width: number },
): (y: number, into: Float64Array) => void {
  const printed = print(rects);
  const [cos, sin] = [Math.cos((skew * Math.PI) / 180), Math.sin((skew * Math.PI) / 180)];
  const outside = bed > 0 ? 1 : 0;
  return (y, into) => {
    for (let x = 0; x < width; x++) {
      let black = 0;
      for (let point = 0; point < 4; point++) {
        const fromX = (x + 0.25 + (point & 1) * 0.5) / dpi - bed - sheetWidth / 2;
        const fromY = (y + 0.25 + (point >> 1) * 0.5) / dpi - bed - sheetHeight / 2;
        const onX = fromX * cos + fromY * sin + sheetWidth / 2;
        const onY = fromY * cos - fromX * sin + sheetHeight / 2;
        if (onX < 0 || onY < 0 || onX >= sheetWidth || onY >= sheetHeight) black += outside;
        else
          black += printed[Math.floor(onY * PRINTED_DPI) * (sheetWidth * PRINTED_DPI) + Math.floor(onX * PRINTED_DPI)]!;
      }
      into[x] = black / 4;
    }
  };
}

const PRINTED_DPI = 400;

/** The sheet, a byte a pixel: 1 is black. */
function print(rects: readonly Rect[]): Uint8Array {
  const wide = sheetWidth * PRINTED_DPI;
  const sheet = new Uint8Array(wide * sheetHeight * PRINTED_DPI);
  const pixel = (inches: number): number => Math.max(0, Math.round(inches * PRINTED_DPI));
  for (const { x, y, width, height } of rects)
    for (let row = pixel(y); row < pixel(y + height); row++)
      sheet.fill(1, row * wide + Math.min(wide, pixel(x)), row * wide + Math.min(wide, pixel(x + width)));
  return sheet;
}

/** Text, tables and gratings by chance, the same each time: lines of rectangles, some from edge to edge. */
export function chancePage(seed: number): RawPage {
  const random = dice(seed);
  const rects: Rect[] = [];
  const [most, gap] = [0.05 + random() * 0.4, 0.02 + random() * 0.3];
  for (let y = 0.2; y < sheetHeight - 0.3;) {
    const height = 0.02 + random() * most;
    for (let x = 0.3; x < sheetWidth - 0.3;) {
      const width = seed % 3 === 0 ? 3.4 : 0.02 + random() * 1.2;
      rects.push({ x, y, width: Math.min(width, sheetWidth - 0.3 - x), height });
      x += width + 0.02 + random() * 0.2;
    }
    y += height + 0.02 + random() * gap;
  }
  return page(rects, { pixels: seed % 2 ? 'bw1' : 'gray8' }, seed);
}
