/** The ink of a downsampled page: what is darker than its surroundings. */
import { adaptiveThreshold } from './adaptiveThreshold.js';
import type { Mask } from './connectedComponents.js';
import type { Downsampled } from './downsample.js';
import { lumaOf } from '../raster/luma.js';

/** How much darker than its window ink is, in grey levels, and half the side of the window, in inches. */
const CONTRAST = 20;
const RADIUS = 0.1;

export function inkMask({ width, height, channels, dpi, data }: Downsampled): Mask {
  const grey = channels === 3 ? lumaOf(data) : data;
  const radius = Math.max(2, Math.round(RADIUS * dpi));
  return { width, height, data: adaptiveThreshold({ width, height, data: grey }, radius, CONTRAST) };
}
