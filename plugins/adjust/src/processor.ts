/** A processor that adjusts pages in threads, where there is something to do; that is decided without their libraries. */
import {
  packedRows,
  rowBytes,
  type ColorMode,
  type Pixels,
  type Processor,
  type ProcessorTask,
  type ProcessorWish,
  type RawPage,
} from '@platen/core/plugin';
import type { Threads } from './threads.js';

/** From the most information to the least. */
const kinds: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];
const kindOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

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

/** Why the page stays as it is; undefined if there is something to do. */
export function idleReason(
  task: ProcessorTask,
  { pixels }: { readonly pixels: Pixels },
  wish: ProcessorWish,
): string | undefined {
  if (task === 'color')
    return isReduction(wish.colorMode, pixels) ? undefined : `the page has no more colour than ${wish.colorMode}`;
  if (task !== 'area' && task !== 'brightness' && task !== 'contrast' && task !== 'threshold') return undefined;
  if (wish[task] === undefined) return `no ${task} was requested`;
  return pixels === 'bw1' && task !== 'area' ? 'the page is 1-bit already' : undefined;
}

/** Whether the colour mode has less information than the pixels: only then is there something to reduce. */
function isReduction(colorMode: ColorMode, pixels: Pixels): boolean {
  return kinds.indexOf(kindOf[colorMode]) > kinds.indexOf(pixels);
}
