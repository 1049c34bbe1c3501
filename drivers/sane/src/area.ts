/** The area of a page: set by its corners, and cut to the pixel. */
import { pixelsAt, ScanError, type Area } from '@platen/core/plugin';
import type { AreaSize } from '@platen/driver-kit';
import { estimate } from './capabilities.js';
import { cornerChoices, paperChoices } from './options/geometry.js';
import type { Handle } from './handle.js';
import type { OptionSet } from './options/optionSet.js';

const MM_PER_INCH = 25.4;
/** Backends round to whole bytes, or to blocks of the sensor: to 8, 16 or 32 pixels. */
const ROUNDED_PIXELS = 32;

/**
 * Sets the corners. A backend that rounds down gets a larger area: cut its pages to the size that this returns.
 * @throws ScanError `unsupported` if it rejects a corner
 */
export async function takeArea(handle: Handle, options: OptionSet, area: Area, dpi: number): Promise<AreaSize> {
  const size = { width: pixelsAt(dpi, area.width), height: pixelsAt(dpi, area.height) };
  await options.setAll(paperChoices(options.descriptors, 'Auto', dpi));
  await place(options, area, dpi);
  const { pixelsPerLine, lines } = (await estimate(handle)) ?? { pixelsPerLine: Infinity, lines: -1 };
  const isNarrow = pixelsPerLine < size.width;
  // 0: so small that the backend has no line of it; less: unknown before the end.
  const isLow = lines >= 0 && lines < size.height;
  const more = (ROUNDED_PIXELS / dpi) * MM_PER_INCH;
  const { width, height } = area;
  if (isNarrow || isLow)
    await place(
      options,
      { ...area, width: isNarrow ? width + more : width, height: isLow ? height + more : height },
      dpi,
    );
  return size;
}

async function place(options: OptionSet, area: Area, dpi: number): Promise<void> {
  // A backend may reject a corner beyond the opposite one, which an earlier scan has set.
  await options.setAll(cornerChoices(options.descriptors, 'Auto', dpi));
  for (const choice of cornerChoices(options.descriptors, area, dpi))
    if (!(await options.set(choice)))
      throw new ScanError(
        'unsupported',
        `The scanner does not accept ${choice.value} for ${choice.name}: choose another area.`,
      );
}
