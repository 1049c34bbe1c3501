/** A JPEG's marker segments: ITU-T T.81, annex B; its density in JFIF 1.02 and Exif 2.3. */
import { CM_PER_INCH, densityFrom, type Density } from './density.js';
import { readTiffDensity } from './tiff.js';

export const SOS = 0xda;
export const EOI = 0xd9;
export const DHT = 0xc4;
export const DRI = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const DNL = Buffer.from([0xff, 0xdc, 0, 4]);

export interface JpegSegment {
  readonly marker: number;
  /** Without marker and length; empty for a marker without a segment. */
  readonly body: Buffer;
  /** Start of the next segment; for SOS, start of its entropy-coded data. */
  readonly end: number;
}

export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, horizontal and vertical. */
  readonly h: number;
  readonly v: number;
}

export interface JpegFrame {
  /** SOF0 and SOF1 (0xc0, 0xc1) are what scanners write: sequential, Huffman. */
  readonly marker: number;
  /** Bits per sample. */
  readonly precision: number;
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
}

/** The first segment at or after `from`; undefined if there is none. @throws RangeError if the file ends within it */
export function segmentAt(file: Buffer, from: number): JpegSegment | undefined {
  const at = markerAt(file, from);
  if (at === undefined) return undefined;
  const marker = file.readUInt8(at + 1);
  if (standsAlone(marker)) return { marker, body: file.subarray(at + 2, at + 2), end: at + 2 };
  const end = at + 2 + file.readUInt16BE(at + 2);
  if (end > file.length) throw new RangeError('the file ends within a segment');
  return { marker, body: file.subarray(at + 4, end), end };
}

/** Position of the next marker; other bytes and fill bytes before it are ignored. */
export function markerAt(file: Buffer, from: number): number | undefined {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return at;
  }
  return undefined;
}

/** EOI, and RST, which some encoders write after their last restart interval. */
function standsAlone(marker: number): boolean {
  return marker === EOI || isRestart(marker) || marker === 1;
}

export function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** SOF0 to SOF15 without DHT, JPG and DAC. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== 0xc8 && marker !== 0xcc;
}

/** @throws RangeError if the segment is too short */
export function readFrame(file: Buffer, { marker, body, end }: JpegSegment): JpegFrame {
  const count = body.readUInt8(5);
  const components = Array.from({ length: count }, (_, i) => {
    const factors = body.readUInt8(7 + i * 3);
    return { id: body.readUInt8(6 + i * 3), h: factors >> 4, v: factors & 15 };
  });
  return {
    marker,
    precision: body.readUInt8(0),
    height: body.readUInt16BE(1) || laterHeight(file, end),
    width: body.readUInt16BE(3),
    components,
  };
}

/** A feeder that does not know the sheet's length writes it after the first scan (DNL). */
function laterHeight(file: Buffer, from: number): number {
  const at = file.indexOf(DNL, from);
  return at < 0 ? 0 : file.readUInt16BE(at + 4);
}

/** The density in an APP0 (JFIF) or APP1 (Exif) segment. */
export function readDensity({ marker, body }: JpegSegment): Density | undefined {
  if (marker === APP1 && body.toString('latin1', 0, 6) === 'Exif\0\0') return readTiffDensity(body.subarray(6));
  if (marker !== APP0 || body.toString('latin1', 0, 5) !== 'JFIF\0') return undefined;
  const unit = body[7];
  return densityFrom(() => ({
    x: body.readUInt16BE(8),
    y: body.readUInt16BE(10),
    unitsPerInch: unit === 1 ? 1 : unit === 2 ? CM_PER_INCH : 0,
  }));
}
