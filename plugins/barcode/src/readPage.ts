/** Reads the barcodes of one page, in the thread that calls. */
import type { Barcode, BarcodeWishes, RawPage } from '@platen/core/plugin';
import { code32 } from './code32.js';
import { floors } from './confidence.js';
import { decodePasses } from './decodePasses.js';
import { merge } from './merge.js';
import type { Detection, Zxing } from './zxing.js';

const MM_PER_INCH = 25.4;

/** A page that claims less is a driver's mistake: its codes would count as metres high. */
const LEAST_DPI = 50;

/** @returns in reading order; only the first that was found where the wishes say so */
export function readPage(zxing: Zxing, page: RawPage, wishes: BarcodeWishes, thorough: boolean): Barcode[] {
  const { filterLevel, formats, stopAfterFirst } = wishes;
  const mm = MM_PER_INCH / Math.max(page.dpi, LEAST_DPI);
  const detections: Detection[] = [];
  const kept = () => merge(detections, mm).filter(({ confidence }) => confidence >= floors[filterLevel]);
  for (const found of decodePasses(zxing, { page, formats, thorough, steps: stopAfterFirst })) {
    detections.push(...wished(found, formats));
    if (!stopAfterFirst) continue;
    const [first] = kept();
    if (first) return [first];
  }
  return kept().flatMap(readings);
}

/** A Code 32 has the bars of a Code 39, which may as well be meant: both, and the application takes the one that it expects. */
function readings(barcode: Barcode): Barcode[] {
  const printed = barcode.barcodeType === 'CODE_39' ? code32(barcode.text) : undefined;
  return printed === undefined ? [barcode] : [barcode, { ...barcode, text: printed }];
}

/** zxing is asked for UPC-A and EAN-13 as one format; the detection says which of them it is. */
function wished(found: readonly Detection[], formats: BarcodeWishes['formats']): readonly Detection[] {
  return formats.length === 0 ? found : found.filter(({ symbology }) => formats.includes(symbology));
}
