/** Bytes that come in bands: a buffer of the announced length, filled from its start. */

/** Of one image for `insert`. */
export const IMAGE_BYTES = 128 * 1024 * 1024;

export interface Arrival {
  readonly data: Uint8Array;
  /** Where the next band goes; undefined where it does not fit. */
  place(length: number): Uint8Array | undefined;
  /** Takes a band that was put into its place. @returns whether all has come. @throws RangeError on more than was announced */
  take(band: Uint8Array): boolean;
}

export function createArrival(bytes: number): Arrival {
  // Not filled with zeroes first: it is handed out when all of it has come.
  const data = new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);
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
