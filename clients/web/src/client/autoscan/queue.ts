/** A queue between a producer and one consumer: items that were not taken yet, and how it ended. */

export interface Queue<T> {
  put(value: T): void;
  /** The next item; undefined at the end. @throws the failure, once all items before it were taken */
  take(): Promise<T | undefined>;
  /** No more items will come. */
  end(): void;
  fail(error: unknown): void;
  /** Removes all items. @returns them */
  clear(): T[];
  readonly full: boolean;
  /** The number of items over the limit. */
  readonly excess: number;
  /** Resolves when the queue is not full, or the signal is aborted. */
  room(signal: AbortSignal): Promise<void>;
}

/** @param limit the number of items that make it full; it accepts more */
export function createQueue<T>(limit: number): Queue<T> {
  const values: T[] = [];
  let over: { readonly error?: unknown } | undefined;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  };
  const change = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
  return {
    put(value) {
      values.push(value);
      wake();
    },
    async take() {
      while (values.length === 0 && !over) await change();
      const value = values.shift();
      wake();
      if (value === undefined && over && 'error' in over) {
        const { error } = over;
        over = {};
        throw error;
      }
      return value;
    },
    end() {
      over ??= {};
      wake();
    },
    fail(error) {
      over ??= { error };
      wake();
    },
    clear: () => values.splice(0),
    get full() {
      return values.length >= limit;
    },
    get excess() {
      return Math.max(0, values.length - limit);
    },
    async room(signal) {
      signal.addEventListener('abort', wake, { once: true });
      while (values.length >= limit && !signal.aborted) await change();
      signal.removeEventListener('abort', wake);
    },
  };
}
