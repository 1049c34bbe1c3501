/** Works on several things at once and yields the results in order, within bounds. */
import { createNotifier } from '../time/notifier.js';

export interface AheadLimits<I> {
  /** How many things may be under way or done beyond the one that the consumer is at; 0: none is pulled before it is asked for. */
  readonly ahead: number;
  /** Bytes that may be under way; one thing alone may exceed it. */
  readonly bytes: number;
  sizeOf(item: I): number;
  /** Called when work failed or the consumer left: the source should end soon. What it still yields is worked on while somebody wants it. */
  halt(): void;
}

/**
 * Pulls from the source, works on what comes, yields the results in the source's order.
 *
 * Nothing that was pulled is lost: when the source or some work fails, whatever else came through is yielded first and
 * the failure is thrown after it.
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
  let bytes = 0;
  let last = 0;
  let ended = false;
  let left = false;

  const hasRoom = (): boolean => window.length <= limits.ahead && (bytes === 0 || bytes + last <= limits.bytes);
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
      while (!hasRoom() && !left) await change.wait();
      if (left) break;
      const next = await items.next();
      if (next.done) return;
      if (left) break;
      const size = (last = limits.sizeOf(next.value));
      bytes += size;
      const result = begin(next.value);
      window.push(result);
      change.notify();
      void result.then(() => {
        bytes -= size;
        change.notify();
      });
    }
    await items.return?.();
  };
  const pumping = pump()
    // A source that failed has ended: there is nothing to halt.
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
    change.notify();
    if (!ended) limits.halt();
    await pumping;
    await Promise.all(window);
  }
}
