/** Uninitialised memory, to be written before it is read. */

/** An array with its own buffer, not zeroed: zeroing a page takes as long as reading it. */
export function uninitialisedBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
