/** What has come and was not taken yet, and how it ended. */

export interface Queue<T> {
  put(value: T): void;
  /** The next one; undefined at the end. @throws what it failed with, when everything before was taken */
  take(): Promise<T | undefined>;
  /** Nothing more comes. */
  end(): void;
  fail(error: unknown): void;
  /** Forgets what is there. @returns it */
  clear(): T[];
  readonly full: boolean;
  /** How many more than its limit are there. */
  readonly excess: number;
  /** Resolves when it is not full, or when the signal is aborted. */
  room(signal: AbortSignal): Promise<void>;
}

/** @param limit how many make it full; it takes more all the same */
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
