/** Keys that clients give their requests: the same key within an hour means the same scan, and feeds no paper twice. */
import { InvalidValue } from '../contract/errors.js';
import type { Clock } from '../time/clock.js';

/** How long a client may repeat a request with its key. */
export const KEY_MS = 3_600_000;

export interface KeyedRequest {
  readonly origin: string;
  readonly key: string;
  /** The request's text. */
  readonly body?: string | undefined;
}

export interface RequestKeys<T> {
  /**
   * @returns what an earlier request with this key made, or will make; undefined for a new key
   * @throws `invalid-value` if the request differs from the earlier one
   */
  find(request: KeyedRequest): Promise<T> | undefined;
  /** If nothing is made, the key is free again. @param ms for which the key counts */
  add(request: KeyedRequest, made: Promise<T>, ms: number): void;
  /** Stops the timer. */
  close(): void;
}

interface Key<T> {
  readonly made: Promise<T>;
  readonly body: string | undefined;
  /** On the monotonic clock. */
  readonly due: number;
}

export function createRequestKeys<T>(clock: Clock): RequestKeys<T> {
  const keys = new Map<string, Key<T>>();
  /** One for all keys: clients may send thousands of them in an hour. */
  let timer: { readonly due: number; cancel(): void } | undefined;

  function wake(due: number): void {
    if (timer && timer.due <= due) return;
    timer?.cancel();
    const cancel = clock.after(due - clock.monotonic(), () => {
      timer = undefined;
      forgetOld();
    });
    timer = { due, cancel };
  }

  function forgetOld(): void {
    const now = clock.monotonic();
    for (const [name, { due }] of keys) {
      if (due <= now) keys.delete(name);
      else wake(due);
    }
  }

  return {
    find({ origin, key, body }) {
      const before = keys.get(nameOf(origin, key));
      if (before && before.body !== body)
        throw new InvalidValue('Idempotency-Key', 'a key that was not used for another request within an hour');
      return before?.made;
    },
    add({ origin, key, body }, made, ms) {
      const name = nameOf(origin, key);
      const due = clock.monotonic() + ms;
      // Two folders may have the same key: one of them is a copy.
      keys.set(name, { made, body, due });
      wake(due);
      made.catch(() => void (keys.get(name)?.made === made && keys.delete(name)));
    },
    close() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

const nameOf = (origin: string, key: string): string => `${origin}\n${key}`;
