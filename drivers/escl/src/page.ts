/** A document that the device sent, as a page: what it says of itself is what its own header says. */
import type { EncodedPage } from '@platen/core/plugin';
import { pixelsOf } from './capabilities.js';
import { EsclFault } from './esclFault.js';
import { readImage, type ImageFacts } from './image.js';
import type { ScanSettings } from './scanSettings.js';

/** @throws EsclFault `not understood` for what is no image, `torn` for one whose end is missing */
export function pageOf(bytes: Uint8Array, { dpi, region }: Pick<ScanSettings, 'dpi' | 'region'>): Omit<EncodedPage, 'sheet' | 'side'> {
  const facts = readImage(bytes);
  if (!facts) throw noImage();
  const { mimeType, width, height, pixels, isWhole } = facts;
  if (!isWhole) throw new EsclFault('torn', 'it sent a page whose end is missing');
  return { kind: 'encoded', mimeType, width, height, pixels, dpi: dpiOf(facts, dpi, region.width), data: bytes };
}

export const noImage = (): EsclFault => new EsclFault('not understood', 'it sent a page that is neither JPEG nor PNG nor TIFF');

/** Devices scale to a few pixels more or less. */
const NEAR = 0.02;

/** What the width tells weighs more than the words: many devices write 72 or 96 whatever they scanned. */
function dpiOf({ width, density }: ImageFacts, asked: number, regionWidth: number): number {
  const wanted = pixelsOf(regionWidth, asked);
  if (!density || Math.abs(width - wanted) <= wanted * NEAR) return asked;
  return Math.round(Math.abs(density.x - density.y) <= density.x * NEAR ? density.x : asked);
}
