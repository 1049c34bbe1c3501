/** What the fake driver scans: the test page as a whole, or an area of a white sheet with one black mark. */
import type { ScanControls } from '@platen/core/driver';
import type { Area, RawPage } from '@platen/core/plugin';
import { pageIn } from './pixelValues.js';
import { testPage, type TestPageWishes } from './testPages.js';

/** Millimetres. */
export const fakeArea = { width: 216, height: 356, minWidth: 5, minHeight: 5 } as const;
export const fakeMark: Area = { x: 40, y: 50, width: 20, height: 10 };

/** The page with these controls applied. */
export function fakeSheet(wishes: TestPageWishes, controls: ScanControls): RawPage {
  const { brightness, contrast, threshold, area } = controls;
  if ([brightness, contrast, threshold, area].every(each => each === undefined)) return testPage(wishes);
  const { pixels = 'rgb24', padding = 0 } = wishes;
  const grey = testPage({ ...wishes, pixels: 'gray8', padding: 0 });
  const { width, dpi, data } = grey;
  const pixelsPerMm = dpi / 25.4;
  const levels = Uint8ClampedArray.from({ length: 256 }, (_, sample) => {
    const contrasted = (sample - 128) * (1 + (contrast ?? 0) / 100) + 128;
    return Math.round(contrasted + (brightness ?? 0) * 1.28 - (threshold === undefined ? 0 : threshold - 128));
  });
  for (let i = 0; i < data.length; i++) {
    const sample = area ? sampleAt(area, (i % width) / pixelsPerMm, Math.floor(i / width) / pixelsPerMm) : data[i]!;
    data[i] = levels[sample]!;
  }
  return { ...grey, ...pageIn(grey, pixels, padding) };
}

function sampleAt(area: Area, x: number, y: number): number {
  const left = area.x + x - fakeMark.x;
  const top = area.y + y - fakeMark.y;
  return left >= 0 && left < fakeMark.width && top >= 0 && top < fakeMark.height ? 0 : 255;
}
