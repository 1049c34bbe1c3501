/** Memory that is written before it is read. */

/** An array with a buffer of its own that is not zeroed: filling a page first takes as long as reading it. */
export function uninitialisedBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
