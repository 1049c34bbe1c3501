/** Memory in which a page is handed to a worker, used again for the next page. */
import { setImmediate as turn } from 'node:timers/promises';
import type { RawPage } from '@platen/core/plugin';

/** Copied between two turns of the event loop: about a millisecond. */
const SLICE = 4 << 20;
/** What is kept for the next page; a larger one is let go of. */
const KEEP = 64 << 20;

export interface Shelf {
  /** The page in memory that threads share. Its own buffer stays as it is: others are encoding it meanwhile. */
  put(page: RawPage, signal: AbortSignal): Promise<RawPage>;
}

export function openShelf(): Shelf {
  let shelf = new SharedArrayBuffer(0);
  return {
    async put(page, signal) {
      const { data } = page;
      if (data.buffer instanceof SharedArrayBuffer) return page;
      const room = data.length <= shelf.byteLength ? shelf : new SharedArrayBuffer(data.length);
      shelf = room.byteLength <= KEEP ? room : new SharedArrayBuffer(0);
      const copy = new Uint8Array(room, 0, data.length);
      for (let from = 0; from < data.length; from += SLICE) {
        if (from > 0) await turn();
        signal.throwIfAborted();
        copy.set(data.subarray(from, from + SLICE), from);
      }
      return { ...page, data: copy };
    },
  };
}
