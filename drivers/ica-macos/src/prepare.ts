/** Sets up a scanner for an order, before paper moves. */
import { assertPixels, ScanError, type PageFacts, type ScanOrder } from '@platen/core/plugin';
import type { Handle } from './handle.js';
import { areaOf, measureOf, pixelsOf, unitTypes } from './unit.js';

export interface Prepared {
  readonly dpi: number;
  readonly sides: readonly PageFacts['side'][];
  readonly isBilevel: boolean;
  readonly wasLoaded: boolean;
}

/** @throws ScanError `unsupported` for a page that would be too large, before it is fed */
export async function prepare(handle: Handle, order: ScanOrder): Promise<Prepared> {
  const { source } = order;
  const unit = await handle.select(unitTypes[source]);
  const { pixelType, depth } = pixelsOf[order.colorMode];
  const measure = measureOf(unit);
  if (measure !== unit.unitOfMeasure) await handle.set({ unitOfMeasure: measure });
  const inMeasure = (await handle.describe()).unit ?? unit;
  const { width, height } = inMeasure;
  const duplex = unit.duplex && order.duplexMode !== 'Simplex';
  const taken = await handle.set({
    pixelType,
    depth,
    resolution: order.resolution,
    x: 0,
    y: 0,
    width,
    height,
    ...(source === 'feeder' && unit.duplex && { duplex }),
  });
  const dpi = taken['resolution'];
  if (typeof dpi !== 'number' || dpi < 1)
    throw new ScanError('driver-failed', 'The scanner does not report its resolution.');
  const area = areaOf(inMeasure);
  if (area) assertPixels(Math.floor(area.width * dpi), Math.floor(area.height * dpi), order.maxPixels);
  return {
    dpi,
    sides: duplex ? ['front', 'back'] : ['front'],
    isBilevel: taken['depth'] === 1,
    wasLoaded: inMeasure.loaded,
  };
}
