/** A JPEG's own header: ITU-T T.81 (markers), JFIF 1.02 (density), Exif 2.3 (density). */
import type { ImageFacts } from './image.js';
import { readTiffDensity } from './tiff.js';

const SOS = 0xda;
const EOI = 0xd9;
const APP0 = 0xe0;
const APP1 = 0xe1;
const CM_PER_INCH = 2.54;

interface Header {
  readonly frame: { readonly width: number; readonly height: number; readonly channels: number };
  readonly density: ImageFacts['density'];
  /** Where the scan's own header begins. */
  readonly scan: number;
}

export function readJpeg(bytes: Buffer): ImageFacts | undefined {
  const header = headerOf(bytes);
  return header && factsOf(bytes, header);
}

/** Whether it says that its height comes after the scan. */
export function hasNoHeight(bytes: Buffer): boolean {
  try {
    return headerOf(bytes)?.frame.height === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** @throws RangeError when a segment points past the end */
function headerOf(bytes: Buffer): Header | undefined {
  let frame: Header['frame'] | undefined;
  let density: ImageFacts['density'];
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++; // fill bytes
      continue;
    }
    if (marker === EOI) return undefined;
    const length = bytes.readUInt16BE(at + 2);
    const body = at + 4;
    if (isFrame(marker)) frame = { height: bytes.readUInt16BE(body + 1), width: bytes.readUInt16BE(body + 3), channels: bytes.readUInt8(body + 5) };
    else if (marker === APP0) density ??= jfifDensity(bytes, body);
    else if (marker === APP1) density ??= exifDensity(bytes, body, at + 2 + length);
    else if (marker === SOS) return frame && { frame, density, scan: body };
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15 without DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function factsOf(bytes: Buffer, { frame: { width, height, channels }, density, scan }: Header): ImageFacts | undefined {
  // Within the scan a byte 0xff is followed by 0: what looks like the end there is the end.
  const isWhole = bytes.lastIndexOf(Buffer.from([0xff, EOI])) > scan;
  const rows = height || laterHeight(bytes, scan);
  if (width === 0 || rows === 0) return undefined;
  return { mimeType: 'image/jpeg', width, height: rows, pixels: channels === 1 ? 'gray8' : 'rgb24', ...(density && { density }), isWhole };
}

/** A feeder that does not know the sheet's length writes it after the scan (DNL). */
function laterHeight(bytes: Buffer, scan: number): number {
  const at = bytes.indexOf(Buffer.from([0xff, 0xdc, 0, 4]), scan);
  return at < 0 ? 0 : bytes.readUInt16BE(at + 4);
}

function jfifDensity(bytes: Buffer, at: number): ImageFacts['density'] {
  if (bytes.toString('latin1', at, at + 5) !== 'JFIF\0') return undefined;
  const unit = bytes.readUInt8(at + 7);
  const factor = unit === 1 ? 1 : unit === 2 ? CM_PER_INCH : 0;
  const [x, y] = [bytes.readUInt16BE(at + 8) * factor, bytes.readUInt16BE(at + 10) * factor];
  return x > 0 && y > 0 ? { x, y } : undefined;
}

function exifDensity(bytes: Buffer, at: number, end: number): ImageFacts['density'] {
  if (bytes.toString('latin1', at, at + 6) !== 'Exif\0\0') return undefined;
  try {
    return readTiffDensity(bytes.subarray(at + 6, end));
  } catch {
    return undefined;
  }
}
