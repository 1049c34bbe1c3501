/** A grey picture of a page at some resolution, a byte a pixel, rows without padding. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  /** Pixels a millimetre. */
  readonly perMm: number;
  readonly data: Uint8Array;
}
