/** A document that the device sent, as a page, with the facts from its header. */
import { mimeTypeOf } from '@platen/core/driver';
import { imageFacts, type EncodedPage, type ImageFacts } from '@platen/core/plugin';
import { pixelsOf } from '../protocol/capabilities.js';
import { EsclError } from '../http/esclError.js';
import type { ScanSettings } from '../protocol/scanSettings.js';

/** @throws EsclError `malformed` for anything but an image, `truncated` for one whose end is missing */
export function pageOf(
  bytes: Uint8Array,
  { dpi, region }: Pick<ScanSettings, 'dpi' | 'region'>,
): Omit<EncodedPage, 'sheet' | 'side'> {
  const facts = imageFacts(bytes);
  if (!facts || facts.width === 0 || facts.height === 0) throw notAnImage();
  const { mimeType, width, height, pixels, isWhole } = facts;
  if (!isWhole) throw new EsclError('truncated', 'it sent a page whose end is missing');
  return { kind: 'encoded', mimeType, width, height, pixels, dpi: dpiOf(facts, dpi, region.width), data: bytes };
}

/** Enough bytes to recognise a JPEG, a PNG or a TIFF. */
const SIGNATURE_BYTES = 16;

/**
 * The size in pixels that the first bytes of a document state; undefined until there are enough of them. `later`: TIFFs may
 * state it at their end, and so do JPEGs of feeders that do not know the length of the sheet in advance.
 * @param isLast no more bytes will be shown
 * @throws EsclError `malformed` for anything but an image
 */
export function sizeIn(start: Uint8Array, isLast: boolean): Pick<ImageFacts, 'width' | 'height'> | 'later' | undefined {
  const facts = imageFacts(start);
  if (facts && facts.width > 0 && facts.height > 0) return facts;
  const mimeType = mimeTypeOf(Buffer.from(start.subarray(0, SIGNATURE_BYTES)));
  if (mimeType === 'image/tiff' || (facts && facts.width > 0)) return 'later';
  if (isLast || (!mimeType && start.length >= SIGNATURE_BYTES)) throw notAnImage();
  return undefined;
}

const notAnImage = (): EsclError => new EsclError('malformed', 'it sent a page that is not JPEG, PNG or TIFF');

/** Devices scale to a few pixels more or less. */
const TOLERANCE = 0.02;

/** The width of the page counts for more than its density: many devices always write 72 or 96. */
function dpiOf({ width, density }: ImageFacts, wanted: number, regionWidth: number): number {
  const expected = pixelsOf(regionWidth, wanted);
  if (!density || Math.abs(width - expected) <= expected * TOLERANCE) return wanted;
  return Math.round(Math.abs(density.x - density.y) <= density.x * TOLERANCE ? density.x : wanted);
}
