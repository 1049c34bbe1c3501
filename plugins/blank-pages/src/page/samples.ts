/**
 * Samples of a page at about 150 dpi, of each the darkest of its colours: ink of any colour on paper of any colour is
 * darker in one of them.
 */
import { rowBytes } from '@platen/core/plugin';
import type { Plane } from './plane.js';
import type { PageRows } from './sharedRows.js';

const MM_PER_INCH = 25.4;

export function samplesOf(rows: PageRows): Plane {
  const { pixels, dpi, step } = rows;
  const width = Math.ceil(rows.width / step);
  const height = Math.ceil(rows.height / step);
  const data = new Uint8Array(width * height);
  const plane = { width, height, perMm: dpi / step / MM_PER_INCH, data };
  if (pixels === 'rgb24') ofColour(rows, plane);
  else if (pixels === 'gray8') ofGrey(rows, plane);
  else ofBits(rows, plane);
  return plane;
}

function ofColour({ width: wide, step, data: from }: PageRows, { width, height, data }: Plane): void {
  const skip = step * 3;
  for (let y = 0, at = 0; y < height; y++) {
    let i = y * wide * 3;
    for (const end = at + width; at < end; at++, i += skip) {
      const red = from[i]!;
      const green = from[i + 1]!;
      const blue = from[i + 2]!;
      const less = red < green ? red : green;
      data[at] = less < blue ? less : blue;
    }
  }
}

function ofGrey({ width: wide, step, data: from }: PageRows, { width, height, data }: Plane): void {
  for (let y = 0, at = 0; y < height; y++) {
    let i = y * wide;
    for (const end = at + width; at < end; at++, i += step) data[at] = from[i]!;
  }
}

/** The share of white in a square of step by step pixels. */
function ofBits(rows: PageRows, { width, height, data }: Plane): void {
  const { step } = rows;
  const row = rowBytes('bw1', rows.width);
  const counts = countsOf(Math.min(step, 8));
  const each = Math.max(1, 8 / step);
  const sums = new Uint16Array(row * each + each);
  /** The bits after the last pixel of a row mean nothing. */
  const last = rows.width % 8 === 0 ? 0xff : (0xff00 >> (rows.width % 8)) & 0xff;
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    const end = Math.min((y + 1) * step, rows.height);
    for (let line = y * step; line < end; line++) {
      for (let i = 0, at = line * row, to = 0; i < row; i++, at++, to += each) {
        const byte = i === row - 1 ? rows.data[at]! & last : rows.data[at]!;
        if (byte !== 0) for (let part = 0; part < each; part++) sums[to + part]! += counts[byte * each + part]!;
      }
    }
    const bytes = Math.max(1, step / 8);
    for (let x = 0; x < width; x++) {
      let black = 0;
      for (let part = 0; part < bytes; part++) black += sums[x * bytes + part] ?? 0;
      const across = Math.min(step, rows.width - x * step);
      data[y * width + x] = 255 - Math.min(255, Math.round((255 * black) / (across * (end - y * step))));
    }
  }
}

/** How many bits of each part of a byte are set. */
function countsOf(bits: number): Uint8Array {
  const each = 8 / bits;
  return Uint8Array.from({ length: 256 * each }, (_, i) => {
    const byte = Math.floor(i / each);
    const part = (byte >> (8 - bits * ((i % each) + 1))) & ((1 << bits) - 1);
    return [...part.toString(2)].filter(bit => bit === '1').length;
  });
}
