/** Crops a page to the edges of its sheet, if they are certain. */
import { extract, type Box } from './raster/extract.js';
import { channelsOf, type Raster } from './raster/raster.js';
import { detectSheet, type Sheet } from './analysis/sheetDetection.js';
import { downsample } from './analysis/downsample.js';

const DPI = 100;
/** In inches: a smaller margin is not worth another page size. */
const LEAST_MARGIN = 0.02;
/** Pixels that are averaged before they are compared, which removes noise. */
const GROUP = 16;
const CERTAIN = 0.7;

export function cropped(page: Raster, dpi: number): { page: Raster } | { why: string } {
  const small = downsample(page, dpi, DPI);
  const sheet = detectSheet(small);
  if ('why' in sheet) return sheet;
  const box = refinedBox(page, sheet, small.factor);
  const margin = Math.max(box.left, box.top, page.width - box.right, page.height - box.bottom);
  if (margin < Math.max(1, LEAST_MARGIN * dpi)) return { why: 'the sheet fills the page already' };
  return { page: extract(page, box) };
}

/** At full resolution, an edge lies at most one downsampled pixel further in than at the lower one. */
function refinedBox(page: Raster, { box, background, tolerance }: Sheet, factor: number): Box {
  const { width, height } = page;
  const outer = {
    left: box.left * factor,
    top: box.top * factor,
    right: Math.min(width, box.right * factor),
    bottom: Math.min(height, box.bottom * factor),
  };
  const inset = (touches: boolean, lineAt: (i: number) => Line): number => {
    let i = 0;
    while (!touches && i < factor && !differs(page, lineAt(i), background, CERTAIN * tolerance)) i++;
    return i;
  };
  const [wide, high] = [outer.right - outer.left, outer.bottom - outer.top];
  return {
    left: outer.left + inset(box.left === 0, i => [outer.left + i, outer.top, 0, 1, high]),
    top: outer.top + inset(box.top === 0, i => [outer.left, outer.top + i, 1, 0, wide]),
    right: outer.right - inset(outer.right === width, i => [outer.right - 1 - i, outer.top, 0, 1, high]),
    bottom: outer.bottom - inset(outer.bottom === height, i => [outer.left, outer.bottom - 1 - i, 1, 0, wide]),
  };
}

/** A row or column of pixels, or a part of it. */
type Line = readonly [x: number, y: number, dx: number, dy: number, length: number];

/** Whether anything on the line differs from the background. */
function differs(page: Raster, line: Line, background: readonly number[], tolerance: number): boolean {
  const [x, y, dx, dy, length] = line;
  const channels = channelsOf(page);
  for (let c = 0; c < channels; c++) {
    for (let from = 0; from < length; from += GROUP) {
      const count = Math.min(GROUP, length - from);
      let sum = 0;
      for (let i = from; i < from + count; i++) sum += valueAt(page, x + i * dx, y + i * dy, c);
      if (Math.abs(sum / count - background[c]!) > tolerance) return true;
    }
  }
  return false;
}

function valueAt({ pixels, width, data }: Raster, x: number, y: number, channel: number): number {
  if (pixels === 'rgb24') return data[(y * width + x) * 3 + channel]!;
  if (pixels === 'gray8') return data[y * width + x]!;
  return data[y * Math.ceil(width / 8) + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255;
}
