/** TWAIN's structures without pointers, from and to bytes: 2-byte packing, little-endian, in both bitnesses. */
import { readFix32, readFrame, writeFrame, type Frame } from './itemTypes.js';

/** TW_IMAGEINFO: the page that is ready to be transferred. */
export interface ImageInfo {
  /** In the unit of ICAP_UNITS. */
  readonly xResolution: number;
  readonly yResolution: number;
  /** -1: not known in advance. */
  readonly width: number;
  readonly length: number;
  readonly samplesPerPixel: number;
  readonly bitsPerSample: readonly number[];
  readonly bitsPerPixel: number;
  readonly planar: boolean;
  readonly pixelType: number;
  readonly compression: number;
}

/** TW_IMAGELAYOUT. */
export interface ImageLayout {
  readonly frame: Frame;
  readonly document: number;
  readonly page: number;
  readonly frameNumber: number;
}

/** TW_SETUPMEMXFER: bytes of a buffer. */
export interface BufferSizes {
  readonly min: number;
  readonly max: number;
  readonly preferred: number;
}

/** Bytes of each structure. */
export const sizes = {
  imageInfo: 42,
  imageLayout: 28,
  setupMemXfer: 12,
  pendingXfers: 6,
  deviceEvent: 294,
  palette8: 1028,
} as const;

/** The count in TW_PENDINGXFERS for an unknown number of further images. */
export const MORE = 0xffff;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function readImageInfo(bytes: Uint8Array): ImageInfo {
  const view = viewOf(bytes);
  const samplesPerPixel = view.getInt16(16, true);
  return {
    xResolution: readFix32(view, 0),
    yResolution: readFix32(view, 4),
    width: view.getInt32(8, true),
    length: view.getInt32(12, true),
    samplesPerPixel,
    bitsPerSample: Array.from({ length: Math.max(0, Math.min(8, samplesPerPixel)) }, (_, i) =>
      view.getInt16(18 + 2 * i, true),
    ),
    bitsPerPixel: view.getInt16(34, true),
    planar: view.getUint16(36, true) !== 0,
    pixelType: view.getInt16(38, true),
    compression: view.getUint16(40, true),
  };
}

export function readImageLayout(bytes: Uint8Array): ImageLayout {
  const view = viewOf(bytes);
  return {
    frame: readFrame(view, 0),
    document: view.getUint32(16, true),
    page: view.getUint32(20, true),
    frameNumber: view.getUint32(24, true),
  };
}

export function writeImageLayout({ frame, document, page, frameNumber }: ImageLayout): Uint8Array {
  const view = new DataView(new ArrayBuffer(sizes.imageLayout));
  writeFrame(view, 0, frame);
  [document, page, frameNumber].forEach((value, i) => view.setUint32(16 + 4 * i, value, true));
  return new Uint8Array(view.buffer);
}

export function readBufferSizes(bytes: Uint8Array): BufferSizes {
  const view = viewOf(bytes);
  return { min: view.getUint32(0, true), max: view.getUint32(4, true), preferred: view.getUint32(8, true) };
}

/** TW_PENDINGXFERS: how many images follow; `MORE` if the source does not know. */
export function readPending(bytes: Uint8Array): number {
  return viewOf(bytes).getUint16(0, true);
}

/** TW_DEVICEEVENT: the event's number. */
export function readDeviceEvent(bytes: Uint8Array): number {
  return viewOf(bytes).getUint32(0, true);
}

/** TW_PALETTE8: red, green and blue of each colour, for grey and colour palettes. */
export function readPalette(bytes: Uint8Array): readonly (readonly [number, number, number])[] {
  const colours = Math.min(256, viewOf(bytes).getUint16(0, true));
  return Array.from({ length: colours }, (_, i) => [bytes[5 + 4 * i]!, bytes[6 + 4 * i]!, bytes[7 + 4 * i]!] as const);
}
