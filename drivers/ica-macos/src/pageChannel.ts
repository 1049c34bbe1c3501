/** A channel of pages from the helper's frames to the one who pulls them, one at a time: nothing is read ahead. */

export interface PageChannel<T> {
  /** Resolves when the next pull comes, or when nothing is wanted any more. */
  give(item: T): Promise<void>;
  /** Undefined at the end. @throws what `fail` was told, after all that was given before */
  pull(): Promise<T | undefined>;
  end(): void;
  fail(error: unknown): void;
  /** What is given from now on is dropped. */
  drop(): void;
}

export function createPageChannel<T>(): PageChannel<T> {
  const items: T[] = [];
  let over: { readonly error?: unknown } | undefined;
  let dropped = false;
  /** Of who waits for an item, and of who waits for the item to be wanted. */
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
      // What was given last has been taken: go on reading.
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
