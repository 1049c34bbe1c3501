/** A buffer of an announced length that bands of bytes fill from its start. */
import { uninitialisedBytes } from '@platen/driver-kit';

/** The most bytes of one image for `insert`. */
export const IMAGE_BYTES = 128 * 1024 * 1024;

export interface BandBuffer {
  readonly data: Uint8Array;
  /** The place of the next band; undefined if it does not fit. */
  place(length: number): Uint8Array | undefined;
  /** Takes a band that was put into its place. @returns whether the buffer is full. @throws RangeError on more than was announced */
  take(band: Uint8Array): boolean;
}

export function createBandBuffer(bytes: number): BandBuffer {
  // It is not handed out before it is full.
  const data = uninitialisedBytes(bytes);
  let filled = 0;
  return {
    data,
    place: length => (length <= bytes - filled ? data.subarray(filled, filled + length) : undefined),
    take(band) {
      if (band.length === 0) throw new RangeError('a band has no bytes');
      if (band.length > bytes - filled) throw new RangeError(`more than the ${bytes} bytes that were announced`);
      filled += band.length;
      return filled === bytes;
    },
  };
}
