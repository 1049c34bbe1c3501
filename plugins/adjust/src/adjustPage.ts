/** One adjustment of one page, as a thread does it. */
import type { ColorMode, Pixels, Processor } from '@platen/core/plugin';
import { bilevel } from './bilevel.js';
import { cropped } from './crop.js';
import { deskewed } from './deskew.js';
import { lumaOf } from './luma.js';
import { orientationOf } from './orientation.js';
import { rotate90 } from './rotate90.js';
import { type Raster } from './raster.js';

export interface AdjustRequest {
  readonly adjustment: Processor['adjustment'];
  readonly page: Raster;
  readonly dpi: number;
  readonly colorMode: ColorMode;
}

/** A new page, or why the page stays as it is. */
export type Outcome = { readonly page: Raster } | { readonly why: string };
export type AdjustResponse = Outcome | { readonly error: string };

/** From the most information to the least. */
const kinds: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];
const kindOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

export function adjustPage({ adjustment, page, dpi, colorMode }: AdjustRequest): Outcome {
  switch (adjustment) {
    case 'turn':
      return { page: rotate90(page, 2) };
    case 'rotate': {
      const found = orientationOf(page, dpi);
      return 'why' in found ? found : { page: rotate90(page, found.quarters) };
    }
    case 'deskew':
      return deskewed(page, dpi);
    case 'crop':
      return cropped(page, dpi);
    case 'color':
      return toColorMode(page, dpi, colorMode);
  }
}

/** Whether the colour mode has less information than the pixels: only then is there something to reduce. */
export function isReduction(colorMode: ColorMode, pixels: Pixels): boolean {
  return kinds.indexOf(kindOf[colorMode]) > kinds.indexOf(pixels);
}

function toColorMode(page: Raster, dpi: number, colorMode: ColorMode): Outcome {
  const grey: Raster = page.pixels === 'rgb24' ? { ...page, pixels: 'gray8', data: lumaOf(page.data) } : page;
  return { page: colorMode === 'BlackAndWhite' ? bilevel(grey, dpi) : grey };
}
