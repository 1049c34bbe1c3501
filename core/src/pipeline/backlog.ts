/**
 * The pages that wait for a slow step, such as text recognition: the device is not kept waiting, and they wait on
 * disk, in the spool.
 */
import type { ByteBudget } from '../work/byteBudget.js';
import type { Page } from '../contract/page.js';
import { createNotifier } from '../time/notifier.js';
import { release } from './release.js';
import { wholeOf, type Spool } from './spool.js';

export interface BacklogLimits {
  readonly spool: Pick<Spool, 'shelf'>;
  /** Of bytes that wait, maybe shared with other scans; with more, the device waits. */
  readonly budget: ByteBudget;
}

interface Waiting {
  readonly bytes: number;
  take(): Promise<Page>;
  drop(): Promise<void>;
}

/**
 * Pulls pages as fast as the device has them, and yields them in order. If the device fails, the pages that wait come
 * first. If the disk is full, no more are pulled than are asked for.
 * @param onWaited called with a page that waited, before it is yielded
 */
export async function* backlog(
  source: AsyncIterable<Page>,
  limits: BacklogLimits,
  onWaited?: (page: Page) => void,
): AsyncGenerator<Page, void> {
  const pages = source[Symbol.asyncIterator]();
  const queue: Waiting[] = [];
  const change = createNotifier();
  const share = limits.budget.open(change.notify);
  let isFull = false;
  let isWanted = false;
  let left = false;
  let end: { error?: unknown } | undefined;

  const wait = async (page: Page): Promise<Waiting> => {
    const size = page.data.byteLength;
    const shelf = limits.spool.shelf('disk');
    const { kept, problem } = await shelf.put(page.data);
    if (problem) {
      // The page itself is still in memory.
      isFull = true;
      return { bytes: size, take: async () => page, drop: shelf.clear };
    }
    release(page.data);
    return {
      bytes: size,
      async take() {
        const data = await wholeOf(kept);
        await shelf.clear();
        return { ...page, data };
      },
      drop: shelf.clear,
    };
  };

  const pump = async (): Promise<void> => {
    for (;;) {
      while (!left && !(isWanted && queue.length === 0) && (isFull || !share.reserve(0))) await change.wait();
      share.leave();
      if (left) break;
      const next = await pages.next();
      if (next.done) return;
      const page = next.value;
      const isAwaited = isWanted && queue.length === 0;
      const waiting: Waiting = isAwaited
        ? { bytes: 0, take: async () => page, drop: async () => undefined }
        : await wait(page);
      share.add(waiting.bytes);
      queue.push(waiting);
      change.notify();
    }
    await pages.return?.();
  };
  const pumping = pump().then(
    () => (end = {}),
    (error: unknown) => (end = { error }),
  );
  void pumping.then(change.notify);

  try {
    for (;;) {
      isWanted = true;
      change.notify();
      while (queue.length === 0 && !end) await change.wait();
      isWanted = false;
      const next = queue.shift();
      if (!next) break;
      share.give(next.bytes);
      change.notify();
      const page = await next.take();
      if (next.bytes > 0) onWaited?.(page);
      yield page;
    }
    if (end && 'error' in end) throw end.error;
  } finally {
    left = true;
    change.notify();
    await pumping;
    for (const each of queue) share.give(each.bytes);
    await Promise.all(queue.map(each => each.drop()));
  }
}
