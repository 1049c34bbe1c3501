/** Uninitialised memory, to be written before it is read. */
import { pageMemory } from '@platen/core/driver';

/**
 * An array with its own buffer, not zeroed: zeroing a page takes as long as reading it. It may be the memory of an
 * earlier page, with that page's pixels: hand over only bytes that were written.
 */
export function uninitialisedBytes(length: number): Uint8Array {
  return pageMemory.take(length);
}
