/** Brightness, contrast and a fixed threshold, by one table for the 256 levels. */
import { rowBytes } from '@platen/core/plugin';
import { lumaOf } from './luma.js';
import type { Raster } from './raster.js';

/** @param level -100, all black, to 100, all white; 0 changes nothing */
export function brightened(page: Raster, level: number): Raster {
  return mapped(page, value => value + (level * 255) / 100);
}

/** @param level -100, all grey, to 100, all black and white; 0 changes nothing. The middle stays. */
export function contrasted(page: Raster, level: number): Raster {
  const slope = Math.tan((Math.min(99.9, level) + 100) * (Math.PI / 400));
  return mapped(page, value => (value - 127.5) * slope + 127.5);
}

function mapped(page: Raster, level: (value: number) => number): Raster {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => level(value));
  return { ...page, data: page.data.map(value => table[value]!) };
}

/** Colour or grey to 1-bit. @param level 0 to 255: what is darker is black */
export function thresholded({ pixels, width, height, data }: Raster, level: number): Raster {
  const grey = pixels === 'rgb24' ? lumaOf(data) : data;
  const row = rowBytes('bw1', width);
  const bits = new Uint8Array(row * height);
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * width; x < width; x++, at++)
      if (grey[at]! < level) bits[y * row + (x >> 3)]! |= 0x80 >> (x & 7);
  return { pixels: 'bw1', width, height, data: bits };
}
