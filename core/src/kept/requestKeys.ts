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
  /** Stops all timers. */
  close(): void;
}

export function createRequestKeys<T>(clock: Clock): RequestKeys<T> {
  const keys = new Map<string, { readonly made: Promise<T>; readonly body: string | undefined; cancel(): void }>();
  return {
    find({ origin, key, body }) {
      const before = keys.get(nameOf(origin, key));
      if (before && before.body !== body)
        throw new InvalidValue('Idempotency-Key', 'a key that was not used for another request within an hour');
      return before?.made;
    },
    add({ origin, key, body }, made, ms) {
      const name = nameOf(origin, key);
      const forget = (): void => void (keys.get(name)?.made === made && keys.delete(name));
      // Two folders may have the same key: one of them is a copy.
      keys.get(name)?.cancel();
      const cancel = clock.after(ms, forget);
      keys.set(name, { made, body, cancel });
      made.catch(() => {
        cancel();
        forget();
      });
    },
    close() {
      for (const { cancel } of keys.values()) cancel();
    },
  };
}

const nameOf = (origin: string, key: string): string => `${origin}\n${key}`;
