/** What an encoded image says of itself in its header: enough to hold a page's words against it. No pixel is looked at. */
import type { EncodedPage } from '../contract/page.js';
import { EOI, isFrame, readFrame, segmentAt, SOS } from './jpegSegments.js';
import { PNG_SIGNATURE, readPng } from './png.js';
import { readTiff } from './tiff.js';

/** Where a JPEG's frame comes later, it is nobody's page: the header is read on the event loop. */
const MOST_SEGMENTS = 1000;
const MOST_HEADER_BYTES = 16 * 1024 * 1024;

export interface ImageFacts {
  readonly mimeType: EncodedPage['mimeType'];
  readonly width: number;
  readonly height: number;
  /** 1 or 2 for grey and 1-bit, 3 or more for colour; undefined where a palette says. */
  readonly channels: number | undefined;
}

/** Undefined for anything but a JPEG, a PNG or a TIFF with a header that can be read. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const file = bufferOf(bytes);
  const mimeType = mimeTypeOf(file);
  try {
    const facts = mimeType === 'image/jpeg' ? readJpeg(file) : mimeType === 'image/png' ? readPng(file) : mimeType && readTiff(file);
    return mimeType && facts && { mimeType, width: facts.width, height: facts.height, channels: facts.channels };
  } catch (error) {
    if (error instanceof RangeError) return undefined; // ends within its header
    throw error;
  }
}

export function mimeTypeOf(file: Buffer): EncodedPage['mimeType'] | undefined {
  if (file[0] === 0xff && file[1] === 0xd8) return 'image/jpeg';
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'image/png';
  return /^(?:II\*\0|MM\0\*)$/.test(file.toString('latin1', 0, 4)) ? 'image/tiff' : undefined;
}

/** The same bytes. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function readJpeg(file: Buffer): { readonly width: number; readonly height: number; readonly channels: number } | undefined {
  const header = file.subarray(0, MOST_HEADER_BYTES);
  for (let at = 2, seen = 0; seen < MOST_SEGMENTS; seen++) {
    const segment = segmentAt(header, at);
    if (!segment || segment.marker === EOI || segment.marker === SOS) return undefined;
    if (isFrame(segment.marker)) {
      const { width, height, components } = readFrame(file, segment);
      return { width, height, channels: components.length };
    }
    at = segment.end;
  }
  return undefined;
}
