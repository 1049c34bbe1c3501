/** One adjustment of one page, as a thread does it. */
import type { ColorMode, ProcessorTask, ProcessorWish } from '@platen/core/plugin';
import { bilevel } from './raster/bilevel.js';
import { cropped } from './crop.js';
import { deskewed } from './deskew.js';
import { areaCut } from './raster/extract.js';
import { lumaOf } from './raster/luma.js';
import { orientationOf } from './orientation.js';
import { rotate90 } from './raster/rotate90.js';
import { type Raster } from './raster/raster.js';
import { brightened, contrasted, thresholded } from './raster/tones.js';

export interface AdjustRequest extends ProcessorWish {
  readonly adjustment: ProcessorTask;
  readonly page: Raster;
  readonly dpi: number;
}

/** A new page, or why the page stays as it is. */
export type Outcome = { readonly page: Raster } | { readonly why: string };
export type AdjustResponse = Outcome | { readonly error: string };

export function adjustPage({ adjustment, page, dpi, colorMode, ...controls }: AdjustRequest): Outcome {
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
    case 'area':
      return { page: areaCut(page, dpi, controls.area!) };
    case 'brightness':
      return { page: brightened(page, controls.brightness!) };
    case 'contrast':
      return { page: contrasted(page, controls.contrast!) };
    case 'threshold':
      return { page: thresholded(page, controls.threshold!) };
    case 'color':
      return toColorMode(page, dpi, colorMode);
  }
}

function toColorMode(page: Raster, dpi: number, colorMode: ColorMode): Outcome {
  const grey: Raster = page.pixels === 'rgb24' ? { ...page, pixels: 'gray8', data: lumaOf(page.data) } : page;
  return { page: colorMode === 'BlackAndWhite' ? bilevel(grey, dpi) : grey };
}
