/** A channel that passes pages from the helper's frames to the puller, one at a time, without reading ahead. */

export interface PageChannel<T> {
  /** Resolves at the next pull, or after `drop`. */
  give(item: T): Promise<void>;
  /** The next item; undefined at the end. @throws the error given to `fail`, after the items before it */
  pull(): Promise<T | undefined>;
  end(): void;
  fail(error: unknown): void;
  /** Drops all further items. */
  drop(): void;
}

export function createPageChannel<T>(): PageChannel<T> {
  const items: T[] = [];
  let over: { readonly error?: unknown } | undefined;
  let dropped = false;
  /** The callbacks of the waiting puller and of the waiting giver. */
  let onItem: (() => void) | undefined;
  let onPull: (() => void) | undefined;

  const finish = (how: { readonly error?: unknown }) => {
    over ??= how;
    onItem?.();
  };

  return {
    give(item) {
      if (dropped) return Promise.resolve();
      items.push(item);
      onItem?.();
      return new Promise(resolve => (onPull = resolve));
    },
    async pull() {
      // The last item has been taken: continue reading.
      if (items.length === 0) onPull?.();
      while (items.length === 0 && !over) await new Promise<void>(resolve => (onItem = resolve));
      const item = items.shift();
      if (item === undefined && over && 'error' in over) throw over.error;
      return item;
    },
    end: () => finish({}),
    fail: error => finish({ error }),
    drop() {
      dropped = true;
      items.length = 0;
      onPull?.();
    },
  };
}
