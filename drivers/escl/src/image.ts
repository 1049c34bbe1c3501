/** What an image that a device sent says of itself in its header, and whether it came whole. No pixel is looked at. */
import type { EncodedPage, Pixels } from '@platen/core/plugin';
import { hasNoHeight, readJpeg } from './jpeg.js';
import { readPng } from './png.js';
import { readTiff } from './tiff.js';

export interface ImageFacts {
  readonly mimeType: EncodedPage['mimeType'];
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels;
  /** Pixels per inch across and down, where the file says. */
  readonly density?: { readonly x: number; readonly y: number };
  /** Whether the file's end is there. */
  readonly isWhole: boolean;
}

const isJpeg = (bytes: Buffer): boolean => bytes.readUInt16BE(0) === 0xffd8;
const isPng = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
const isTiff = (bytes: Buffer): boolean => /^(?:II\*\0|MM\0\*)$/.test(bytes.toString('latin1', 0, 4));

/**
 * What the beginning of a file says of the size: `none` for what is no image; `later` for one that tells its size at its end, as TIFFs may, and JPEGs of
 * feeders that do not know how long a sheet is.
 * @param isEnough an image would have told by now
 */
export function sizeIn(bytes: Uint8Array, isEnough: boolean): Pick<ImageFacts, 'width' | 'height'> | 'none' | 'later' | undefined {
  const facts = readImage(bytes);
  if (facts) return facts;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 16) return isEnough ? 'none' : undefined;
  if (isTiff(buffer) || (isJpeg(buffer) && hasNoHeight(buffer))) return 'later';
  return isEnough || !(isJpeg(buffer) || isPng(buffer)) ? 'none' : undefined;
}

/** Undefined for what is no such image, and for the beginning of one that does not tell its size yet. */
export function readImage(bytes: Uint8Array): ImageFacts | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (buffer.length < 16) return undefined;
    if (isJpeg(buffer)) return readJpeg(buffer);
    if (isPng(buffer)) return readPng(buffer);
    if (isTiff(buffer)) return readTiff(buffer);
  } catch (error) {
    // A header that points past the end of the file.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}
