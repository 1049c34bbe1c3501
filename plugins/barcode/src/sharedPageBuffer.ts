/** Shared memory in which a page is passed to a worker; the next page reuses it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { RawPage } from '@platen/core/plugin';

/** Bytes copied between two turns of the event loop: about a millisecond. */
const SLICE = 4 << 20;
/** A buffer larger than this is not kept for the next page. */
const KEEP = 64 << 20;

export interface SharedPageBuffer {
  /**
   * The page with its data in shared memory. The page's own buffer stays as it is: formats encode it meanwhile.
   * @throws the signal's reason
   */
  copy(page: RawPage, signal: AbortSignal): Promise<RawPage>;
}

export function createSharedPageBuffer(): SharedPageBuffer {
  let kept = new SharedArrayBuffer(0);
  return {
    async copy(page, signal) {
      const { data } = page;
      if (data.buffer instanceof SharedArrayBuffer) return page;
      const buffer = data.length <= kept.byteLength ? kept : new SharedArrayBuffer(data.length);
      kept = buffer.byteLength <= KEEP ? buffer : new SharedArrayBuffer(0);
      const copy = new Uint8Array(buffer, 0, data.length);
      for (let from = 0; from < data.length; from += SLICE) {
        if (from > 0) await turn();
        signal.throwIfAborted();
        copy.set(data.subarray(from, from + SLICE), from);
      }
      return { ...page, data: copy };
    },
  };
}
