/** One adjustment of one page, as a thread does it. */
import type { ColorMode, Processor } from '@platen/core/plugin';
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

function toColorMode(page: Raster, dpi: number, colorMode: ColorMode): Outcome {
  const grey: Raster = page.pixels === 'rgb24' ? { ...page, pixels: 'gray8', data: lumaOf(page.data) } : page;
  return { page: colorMode === 'BlackAndWhite' ? bilevel(grey, dpi) : grey };
}
