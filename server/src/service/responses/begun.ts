/** Kept bytes whose first slice was read: if that fails, nothing has been sent yet. */
import type { KeptBytes } from '@platen/core';
import { SLICE_BYTES } from './pieces.js';

export interface Begun extends KeptBytes {
  /** Call it, read or not. */
  close(): Promise<void>;
}

/**
 * @param start the first byte
 * @param end the byte after the last one
 * @throws if the bytes cannot be read
 */
export async function begun(bytes: KeptBytes, start = 0, end = bytes.size): Promise<Begun> {
  const slices = bytes.read(SLICE_BYTES, start, end)[Symbol.asyncIterator]();
  let slice = await slices.next();
  return {
    size: end - start,
    async *read() {
      for (; !slice.done; slice = await slices.next()) yield slice.value;
    },
    close: async () => void (await slices.return?.()),
  };
}
