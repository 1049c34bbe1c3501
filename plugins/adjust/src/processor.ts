/** A processor that adjusts pages in threads. */
import { packedRows, rowBytes, type Processor, type RawPage } from '@platen/core/plugin';
import { idleReason } from './idleReason.js';
import type { Threads } from './threads.js';

export function threadedProcessor(adjustment: Processor['adjustment'], threads: Pick<Threads, 'run'>): Processor {
  return {
    adjustment,
    async apply(page, wish, { signal }) {
      signal.throwIfAborted();
      const why = idleReason(adjustment, page, wish);
      if (why !== undefined) return { page, applied: false, why };
      const { pixels, width, height, dpi } = page;
      const raster = { pixels, width, height, data: ownRows(page) };
      const outcome = await threads.run({ ...wish, adjustment, page: raster, dpi }, signal);
      if ('why' in outcome) return { page, applied: false, why: outcome.why };
      const { page: made } = outcome;
      return { page: { ...page, ...made, stride: rowBytes(made.pixels, made.width) }, applied: true };
    },
  };
}

/** In a buffer that can be transferred to a thread: formats and recognisers read the page's own at the same time. */
function ownRows(page: RawPage): Uint8Array {
  const rows = packedRows(page);
  const shared = rows.buffer === page.data.buffer;
  return shared ? new Uint8Array(rows) : rows;
}
