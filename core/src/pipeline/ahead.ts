/** Works on several items at once and yields the results in order, within bounds. */
import type { ByteBudget } from '../work/byteBudget.js';
import { createNotifier } from '../time/notifier.js';

export interface AheadLimits<I> {
  /** Most items in progress or finished beyond the consumer's current one; 0: an item is pulled only on request. */
  readonly ahead: number;
  /** Of bytes in progress, maybe shared with others. */
  readonly budget: ByteBudget;
  sizeOf(item: I): number;
  /**
   * Called when work failed or the consumer left: the source should end soon. Items it still yields are worked on while
   * the consumer waits.
   */
  halt(): void;
}

/**
 * Pulls from the source, works on the items, yields the results in the source's order.
 *
 * No pulled item is lost: if the source or some work fails, the results of all other items are yielded first, then the
 * failure is thrown.
 */
export async function* ahead<I, O>(
  source: AsyncIterable<I>,
  work: (item: I) => Promise<O>,
  limits: AheadLimits<I>,
): AsyncGenerator<O, void> {
  const items = source[Symbol.asyncIterator]();
  const window: Promise<{ value: O } | undefined>[] = [];
  const failures: unknown[] = [];
  const change = createNotifier();
  const share = limits.budget.open(change.notify);
  let last = 0;
  let ended = false;
  let left = false;

  /** For the next item, which is taken for as large as the last one. */
  const reserve = (): boolean => window.length <= limits.ahead && share.reserve(last);
  const fail = (error: unknown): undefined => {
    failures.push(error);
    limits.halt();
    return undefined;
  };

  const begin = async (item: I): Promise<{ value: O } | undefined> => {
    try {
      return { value: await work(item) };
    } catch (error) {
      return fail(error);
    }
  };

  const pump = async (): Promise<void> => {
    for (;;) {
      let isReserved = false;
      while (!left && !(isReserved = reserve())) await change.wait();
      if (!isReserved) break;
      const reserved = last;
      const next = await items.next().catch((error: unknown) => {
        share.give(reserved);
        throw error;
      });
      if (next.done || left) share.give(reserved);
      if (next.done) return;
      if (left) break;
      const size = (last = limits.sizeOf(next.value));
      share.add(size - reserved);
      const result = begin(next.value);
      window.push(result);
      change.notify();
      void result.then(() => {
        share.give(size);
        change.notify();
      });
    }
    await items.return?.();
  };
  const pumping = pump()
    // A failed source has ended: it needs no halt.
    .catch(error => void failures.push(error))
    .finally(() => {
      ended = true;
      change.notify();
    });

  try {
    for (;;) {
      while (window.length === 0 && !ended) await change.wait();
      const first = window[0];
      if (!first) break;
      const result = await first;
      if (result) yield result.value;
      window.shift();
      change.notify();
    }
    if (failures.length > 0) throw failures[0];
  } finally {
    left = true;
    share.leave();
    change.notify();
    if (!ended) limits.halt();
    await pumping;
    await Promise.all(window);
  }
}
