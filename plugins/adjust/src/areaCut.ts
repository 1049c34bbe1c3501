/** Cuts a page to an area; what lies beyond the page is white. No pixel is resampled. */
import { pixelsAt, rowBytes, type Area } from '@platen/core/plugin';
import { extract } from './extract.js';
import { WHITE, type Raster } from './raster.js';

export function areaCut(page: Raster, dpi: number, area: Area): Raster {
  const width = pixelsAt(dpi, area.width);
  const height = pixelsAt(dpi, area.height);
  const left = Math.round((area.x * dpi) / 25.4);
  const top = Math.round((area.y * dpi) / 25.4);
  const right = Math.min(page.width, left + width);
  const bottom = Math.min(page.height, top + height);
  const inside = left < right && top < bottom ? extract(page, { left, top, right, bottom }) : undefined;
  if (inside?.width === width && inside.height === height) return inside;
  return enlarged(inside, { pixels: page.pixels, width, height });
}

/** The page in the top left corner of a white one. */
function enlarged(page: Raster | undefined, { pixels, width, height }: Omit<Raster, 'data'>): Raster {
  const row = rowBytes(pixels, width);
  const data = new Uint8Array(row * height).fill(pixels === 'bw1' ? 0 : WHITE);
  const from = page ? rowBytes(pixels, page.width) : 0;
  for (let y = 0; y < (page?.height ?? 0); y++) data.set(page!.data.subarray(y * from, (y + 1) * from), y * row);
  return { pixels, width, height, data };
}
