/** How many pages are worked on at the same time. */

export interface Pool {
  readonly size: number;
  /** Runs the work when a place is free, first come, first served. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createPool(size: number): Pool {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    size,
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>(resolve => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}
