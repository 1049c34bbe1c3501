/** Sets up a scanner for an order, before paper moves. */
import { assertPixels, checkDriverOptions } from '@platen/core/driver';
import { ScanError, type Area, type DriverOption, type PageFacts, type ScanOrder } from '@platen/core/plugin';
import { assertTaken, rectangleOf } from './area.js';
import { takeDriverOptions } from './driverOptions.js';
import type { Handle } from './device/handle.js';
import { hasThreshold, thresholdSettings, type FoundThresholds } from './threshold.js';
import { areaOf, measureOf, pixelsOf, unitTypes } from './unit.js';

export interface Prepared {
  readonly dpi: number;
  readonly sides: readonly PageFacts['side'][];
  readonly isBilevel: boolean;
  readonly wasLoaded: boolean;
  /** The pages show this, or a little more to the right and below. */
  readonly area?: Area;
  /** The order's threshold is in effect. */
  readonly hasThreshold: boolean;
}

/**
 * @param driverOptions the source's
 * @throws ScanError `unsupported`, before paper moves: for a page that would be too large, or an area, a threshold or an
 *   option that the scanner refuses
 */
export async function prepare(
  handle: Handle,
  order: ScanOrder,
  driverOptions: readonly DriverOption[] | undefined,
  thresholds: FoundThresholds,
): Promise<Prepared> {
  const { source, area: asked } = order;
  checkDriverOptions(driverOptions, order.driverOptions);
  const unit = await handle.select(unitTypes[source]);
  const pixels = pixelsOf[order.colorMode];
  const measure = measureOf(unit);
  if (measure !== unit.unitOfMeasure) await handle.set({ unitOfMeasure: measure });
  if (driverOptions) {
    // Some features exist in one colour mode only.
    await handle.set(pixels);
    await takeDriverOptions(handle, driverOptions, order.driverOptions ?? {});
  }
  const inMeasure = (await handle.describe()).unit ?? unit;
  const rectangle = asked
    ? rectangleOf(asked, inMeasure)
    : { x: 0, y: 0, width: inMeasure.width, height: inMeasure.height };
  const duplex = unit.duplex && order.duplexMode !== 'Simplex';
  const taken = await handle.set({
    ...pixels,
    resolution: order.resolution,
    ...rectangle,
    ...thresholdSettings(inMeasure, order, thresholds),
    ...(source === 'feeder' && unit.duplex && { duplex }),
  });
  const dpi = taken['resolution'];
  if (typeof dpi !== 'number' || dpi < 1)
    throw new ScanError('driver-failed', 'The scanner does not report its resolution.');
  if (asked) assertTaken(taken, rectangle, inMeasure);
  const area = areaOf({ ...inMeasure, width: rectangle.width, height: rectangle.height });
  if (area) assertPixels(Math.floor(area.width * dpi), Math.floor(area.height * dpi), order.maxPixels);
  return {
    dpi,
    sides: duplex ? ['front', 'back'] : ['front'],
    isBilevel: taken['depth'] === 1,
    wasLoaded: inMeasure.loaded,
    hasThreshold: hasThreshold(taken, order),
    ...(asked && { area: asked }),
  };
}
