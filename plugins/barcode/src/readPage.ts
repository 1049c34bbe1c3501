/** Reads the barcodes of one page, in the thread that calls. */
import type { Barcode, BarcodeWishes, RawPage } from '@platen/core/plugin';
import { floors } from './evidence.js';
import { looks } from './looks.js';
import { merge } from './merge.js';
import type { Sighting, Zxing } from './zxing.js';

const MM_PER_INCH = 25.4;

/** A page that claims less is a driver's mistake, and its codes would be taken for metres high. */
const LEAST_DPI = 50;

export function readPage(zxing: Zxing, page: RawPage, { filterLevel, formats, stopAfterFirst }: BarcodeWishes, thorough: boolean): Barcode[] {
  const mm = MM_PER_INCH / Math.max(page.dpi, LEAST_DPI);
  const seen: Sighting[] = [];
  const kept = () => merge(seen, mm).filter(({ confidence }) => confidence >= floors[filterLevel]);
  for (const sightings of looks(zxing, { page, formats, thorough, steps: stopAfterFirst })) {
    seen.push(...wished(sightings, formats));
    if (!stopAfterFirst) continue;
    const [first] = kept();
    if (first) return [first];
  }
  return kept();
}

/** UPC-A and EAN-13 are asked for as one, and told apart by what they say. */
function wished(sightings: readonly Sighting[], formats: BarcodeWishes['formats']): readonly Sighting[] {
  return formats.length === 0 ? sightings : sightings.filter(({ symbology }) => formats.includes(symbology));
}
