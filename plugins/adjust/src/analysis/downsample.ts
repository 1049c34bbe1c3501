/** Downsampling by the mean of blocks: skew, orientation and edges are found as well in it, and much sooner. */
import { channelsOf, unpackRow, type Raster } from '../raster/raster.js';

/** Grey or colour, a byte a channel. */
export interface Downsampled {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** The side of a block, in pixels of the page. */
  readonly factor: number;
  readonly dpi: number;
  readonly data: Uint8Array;
}

/** The largest result, whatever the page's size and resolution. */
const MOST_PIXELS = 6_000_000;

/**
 * The last blocks of a row or column may be smaller.
 * @param dpi the resolution wanted, approximately; never more than the page has
 */
export function downsample(page: Raster, pageDpi: number, dpi: number): Downsampled {
  const least = Math.ceil(Math.sqrt((page.width * page.height) / MOST_PIXELS));
  const factor = Math.max(1, Math.round(pageDpi / dpi), least);
  const channels = channelsOf(page);
  const width = Math.ceil(page.width / factor);
  const height = Math.ceil(page.height / factor);
  const data = new Uint8Array(width * height * channels);
  const sums = new Uint32Array(width * channels);
  const bits = new Uint32Array(page.pixels === 'bw1' ? 2 * Math.ceil(page.width / 8) : 0);
  const bytes = new Uint8Array(bits.buffer);
  const rowLength = page.width * channels;
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    const end = Math.min((y + 1) * factor, page.height);
    for (let from = y * factor; from < end; from++) {
      if (page.pixels === 'bw1') unpackRow(page, from, bits);
      const row = page.pixels === 'bw1' ? bytes : page.data;
      const at = page.pixels === 'bw1' ? 0 : from * rowLength;
      if (channels === 3) addColour(row, at, page.width, factor, sums);
      else addGrey(row, at, page.width, factor, sums);
    }
    const rows = end - y * factor;
    const whole = rows * factor;
    const into = y * width * channels;
    const last = (width - 1) * channels;
    for (let i = 0; i < last; i++) data[into + i] = (sums[i]! + (whole >> 1)) / whole;
    const rest = rows * (page.width - (width - 1) * factor);
    for (let i = last; i < sums.length; i++) data[into + i] = (sums[i]! + (rest >> 1)) / rest;
  }
  return { width, height, channels, factor, dpi: pageDpi / factor, data };
}

function addGrey(row: Uint8Array, at: number, width: number, factor: number, sums: Uint32Array): void {
  const end = at + width;
  const whole = Math.floor(width / factor);
  for (let i = 0; i < whole; i++) {
    let sum = 0;
    for (const stop = at + factor; at < stop; at++) sum += row[at]!;
    sums[i]! += sum;
  }
  for (; at < end; at++) sums[whole]! += row[at]!;
}

function addColour(row: Uint8Array, at: number, width: number, factor: number, sums: Uint32Array): void {
  const end = at + width * 3;
  for (let i = 0; at < end; i += 3) {
    let red = 0;
    let green = 0;
    let blue = 0;
    for (const stop = Math.min(at + factor * 3, end); at < stop; at += 3) {
      red += row[at]!;
      green += row[at + 1]!;
      blue += row[at + 2]!;
    }
    sums[i]! += red;
    sums[i + 1]! += green;
    sums[i + 2]! += blue;
  }
}
