/** Reads facts from the header of an encoded image: JPEG, PNG or TIFF. Decodes no pixels. */
import type { EncodedPage, Pixels } from '../contract/page.js';
import type { Density } from './density.js';
import { EOI, isFrame, readDensity as readJpegDensity, readFrame, segmentAt, SOS } from './jpegSegments.js';
import { hasPngEnd, PNG_SIGNATURE, readPng, readDensity as readPngDensity } from './png.js';
import { hasTiffEnd, readTiff } from './tiff.js';

/** A JPEG with a later frame header is rejected: the header is read on the event loop. */
const MOST_SEGMENTS = 1000;
const MOST_HEADER_BYTES = 16 * 1024 * 1024;

export interface ImageFacts {
  readonly mimeType: EncodedPage['mimeType'];
  readonly width: number;
  /** 0 for the start of a JPEG that stores its height after the scan. */
  readonly height: number;
  /** 1 or 2 for grey and 1-bit, 3 or more for colour; undefined if a palette decides. */
  readonly channels: number | undefined;
  /** In a page's terms. A palette with two entries counts as black and white, a larger one in a PNG as colour. */
  readonly pixels: Pixels;
  /** Absent if the file does not contain it. */
  readonly density?: Density;
  /** Whether the file has its end. Data before it are not checked: see `imageFault`. */
  readonly isWhole: boolean;
}

/** Undefined unless it is a JPEG, a PNG or a TIFF with a readable header. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const file = bufferOf(bytes);
  const mimeType = mimeTypeOf(file);
  try {
    return mimeType && readers[mimeType](file);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // ends within its header
    throw error;
  }
}

const readers: Readonly<Record<EncodedPage['mimeType'], (file: Buffer) => ImageFacts | undefined>> = {
  'image/jpeg': readJpeg,
  'image/png'(file) {
    const header = readPng(file);
    return header && factsOf('image/png', header, readPngDensity(file), hasPngEnd(file));
  },
  'image/tiff'(file) {
    const header = readTiff(file);
    return header && factsOf('image/tiff', header, header.density, hasTiffEnd(file, header));
  },
};

type Header = Pick<ImageFacts, 'width' | 'height' | 'channels' | 'pixels'>;

function factsOf(
  mimeType: EncodedPage['mimeType'],
  { width, height, channels, pixels }: Header,
  density: Density | undefined,
  isWhole: boolean,
): ImageFacts {
  return { mimeType, width, height, channels, pixels, ...(density && { density }), isWhole };
}

export function mimeTypeOf(file: Buffer): EncodedPage['mimeType'] | undefined {
  if (file[0] === 0xff && file[1] === 0xd8) return 'image/jpeg';
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'image/png';
  return /^(?:II\*\0|MM\0\*)$/.test(file.toString('latin1', 0, 4)) ? 'image/tiff' : undefined;
}

/** The same bytes, without a copy. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function readJpeg(file: Buffer): ImageFacts | undefined {
  const header = file.subarray(0, MOST_HEADER_BYTES);
  let density: Density | undefined;
  for (let at = 2, seen = 0; seen < MOST_SEGMENTS; seen++) {
    const segment = segmentAt(header, at);
    if (!segment || segment.marker === EOI || segment.marker === SOS) return undefined;
    if (isFrame(segment.marker)) {
      const { width, height, components } = readFrame(file, segment);
      // Within the scan a byte 0xff is followed by 0 or a restart marker, so an EOI after the frame is the end.
      const isWhole = file.lastIndexOf(Buffer.from([0xff, EOI])) >= segment.end;
      const facts = {
        width,
        height,
        channels: components.length,
        pixels: components.length === 1 ? 'gray8' : 'rgb24',
      } as const;
      return factsOf('image/jpeg', facts, density, isWhole);
    }
    density ??= readJpegDensity(segment);
    at = segment.end;
  }
  return undefined;
}
