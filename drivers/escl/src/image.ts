/** What an image that a device sent says of itself in its header, and whether it came whole. No pixel is looked at. */
import type { EncodedPage, Pixels } from '@platen/core/plugin';
import { readJpeg } from './jpeg.js';
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

/** Undefined for what is no such image, and for the beginning of one that does not tell its size yet. */
export function readImage(bytes: Uint8Array): ImageFacts | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (buffer.length < 16) return undefined;
    if (buffer.readUInt16BE(0) === 0xffd8) return readJpeg(buffer);
    if (buffer.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return readPng(buffer);
    if (/^(?:II\*\0|MM\0\*)$/.test(buffer.toString('latin1', 0, 4))) return readTiff(buffer);
  } catch (error) {
    // A header that points past the end of the file.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}
