/** Rotation by multiples of 90°, clockwise; no pixel is resampled. */
import { channelsOf, viaBytes, type Raster } from './raster.js';

export type Quarters = 1 | 2 | 3;

/** The side of the squares in which a page is rotated, so that both sides stay in the processor's cache. */
const TILE = 32;

export function rotate90(raster: Raster, quarters: Quarters): Raster {
  return viaBytes(raster, bytes => (quarters === 2 ? halfTurn(bytes) : quarterTurn(bytes, quarters)));
}

function halfTurn({ pixels, width, height, data }: Raster): Raster {
  if (pixels === 'gray8') return { pixels, width, height, data: new Uint8Array(data).reverse() };
  const result = new Uint8Array(data.length);
  for (let i = 0, from = data.length - 3; from >= 0; i += 3, from -= 3) {
    result[i] = data[from]!;
    result[i + 1] = data[from + 1]!;
    result[i + 2] = data[from + 2]!;
  }
  return { pixels, width, height, data: result };
}

/** Where the first pixel goes, and the steps in the result from a pixel to its right and lower neighbour. */
function steps({ width, height }: Raster, quarters: 1 | 3): { start: number; right: number; down: number } {
  if (quarters === 1) return { start: height - 1, right: height, down: -1 };
  return { start: (width - 1) * height, right: -height, down: 1 };
}

function quarterTurn(raster: Raster, quarters: 1 | 3): Raster {
  const { pixels, width, height, data } = raster;
  const channels = channelsOf(raster);
  const result = new Uint8Array(data.length);
  const { start, right, down } = steps(raster, quarters);
  for (let top = 0; top < height; top += TILE) {
    const bottom = Math.min(top + TILE, height);
    for (let left = 0; left < width; left += TILE) {
      const end = Math.min(left + TILE, width);
      for (let x = left; x < end; x++) {
        let to = channels * (start + x * right + top * down);
        let from = channels * (top * width + x);
        for (let y = top; y < bottom; y++, to += channels * down, from += channels * width) {
          result[to] = data[from]!;
          if (channels === 1) continue;
          result[to + 1] = data[from + 1]!;
          result[to + 2] = data[from + 2]!;
        }
      }
    }
  }
  return { pixels, width: height, height: width, data: result };
}
