/** Cuts a page to the edges of its sheet, where they are certain. */
import { cut, type Box } from './cut.js';
import { channelsOf, type Raster } from './raster.js';
import { sheetOn, type Sheet } from './sheet.js';
import { shrink } from './shrink.js';

const DPI = 100;
/** In inches: less is not worth another size of page. */
const LEAST_MARGIN = 0.02;
/** Pixels whose mean is looked at: the noise of single ones is no sheet. */
const TOGETHER = 16;
const CERTAIN = 0.7;

export function cropped(page: Raster, dpi: number): { page: Raster } | { why: string } {
  const small = shrink(page, dpi, DPI);
  const sheet = sheetOn(small);
  if ('why' in sheet) return sheet;
  const box = refined(page, sheet, small.factor);
  const margin = Math.max(box.left, box.top, page.width - box.right, page.height - box.bottom);
  if (margin < Math.max(1, LEAST_MARGIN * dpi)) return { why: 'the sheet fills the page already' };
  return { page: cut(page, box) };
}

/** At full resolution, an edge is at most one reduced pixel further in than it looks at the reduced one. */
function refined(page: Raster, { box, background, tolerance }: Sheet, factor: number): Box {
  const { width, height } = page;
  const outer = { left: box.left * factor, top: box.top * factor, right: Math.min(width, box.right * factor), bottom: Math.min(height, box.bottom * factor) };
  const inset = (open: boolean, lineAt: (i: number) => readonly [x: number, y: number, dx: number, dy: number, length: number]): number => {
    let i = 0;
    while (!open && i < factor && !differs(page, lineAt(i), background, CERTAIN * tolerance)) i++;
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

/** Whether anything along the line is not the background's. */
function differs(page: Raster, [x, y, dx, dy, length]: readonly [number, number, number, number, number], background: readonly number[], tolerance: number): boolean {
  const channels = channelsOf(page);
  for (let c = 0; c < channels; c++) {
    for (let from = 0; from < length; from += TOGETHER) {
      const count = Math.min(TOGETHER, length - from);
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
