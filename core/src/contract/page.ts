/** One scanned side of a sheet, as a driver yields it. */
import { pageControls } from './controls.js';
import { adjustments } from './words.js';

/** rgb24: three bytes per pixel. gray8: one byte, 0 is black. bw1: one bit, most significant first, 1 is black. */
export type Pixels = 'rgb24' | 'gray8' | 'bw1';

/** Adjustments and controls that a device may have done to a page. */
export const pageWork = [...adjustments, ...pageControls] as const;
export type PageWork = (typeof pageWork)[number];

/** Facts of a page; always true, whatever was requested (promise 5). */
export interface PageFacts {
  /** 1-based within the scan; both sides of a sheet have the same number. */
  readonly sheet: number;
  readonly side: 'front' | 'back';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch; the same in both directions. */
  readonly dpi: number;
  readonly pixels: Pixels;
  /** What of the order the device has already done to the page; software does not repeat it. */
  readonly adjusted?: readonly PageWork[];
}

export interface RawPage extends PageFacts {
  readonly kind: 'raw';
  /** Bytes from the start of one row to the start of the next; the last row may end without its padding. */
  readonly stride: number;
  /** Owned by the receiver: the sender never writes to it again (promise 6). */
  readonly data: Uint8Array;
}

/** A page that the device encoded: one image, exactly as delivered. */
export interface EncodedPage extends PageFacts {
  readonly kind: 'encoded';
  readonly mimeType: 'image/jpeg' | 'image/png' | 'image/tiff';
  readonly data: Uint8Array;
}

export type Page = RawPage | EncodedPage;

/** Bytes of one row without padding. */
export function rowBytes(pixels: Pixels, width: number): number {
  if (pixels === 'rgb24') return width * 3;
  return pixels === 'gray8' ? width : Math.ceil(width / 8);
}
