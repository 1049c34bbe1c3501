/** What is asked of a thread, and what it answers. */
import type { ColorMode, Pixels, Processor } from '@platen/core/plugin';
import { bilevel } from './bilevel.js';
import { cropped } from './crop.js';
import { deskewed } from './deskew.js';
import { lumaOf } from './grey.js';
import { orientationOf } from './orientation.js';
import { turned } from './quarter.js';
import { type Raster } from './raster.js';

export interface Job {
  readonly adjustment: Processor['adjustment'];
  readonly page: Raster;
  readonly dpi: number;
  readonly colorMode: ColorMode;
}

/** A page of its own, or why nothing was done to the one that came. */
export type Outcome = { readonly page: Raster } | { readonly why: string };
export type Answer = Outcome | { readonly error: string };

/** Poorer kinds come later. */
const kinds: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];
const kindOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

export function outcomeOf({ adjustment, page, dpi, colorMode }: Job): Outcome {
  switch (adjustment) {
    case 'turn':
      return { page: turned(page, 2) };
    case 'rotate': {
      const found = orientationOf(page, dpi);
      return 'why' in found ? found : { page: turned(page, found.quarters) };
    }
    case 'deskew':
      return deskewed(page, dpi);
    case 'crop':
      return cropped(page, dpi);
    case 'color':
      return reduced(page, dpi, colorMode);
  }
}

/** Says without looking at the pixels whether a page has colour or grey to lose. */
export function isPoorer(colorMode: ColorMode, pixels: Pixels): boolean {
  return kinds.indexOf(kindOf[colorMode]) > kinds.indexOf(pixels);
}

function reduced(page: Raster, dpi: number, colorMode: ColorMode): Outcome {
  const grey: Raster = page.pixels === 'rgb24' ? { ...page, pixels: 'gray8', data: lumaOf(page.data) } : page;
  return { page: colorMode === 'BlackAndWhite' ? bilevel(grey, dpi) : grey };
}
