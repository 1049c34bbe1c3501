/** How many pieces of work run at the same time: the others wait, first come, first served. */

export interface Semaphore {
  readonly places: number;
  /** Runs the work when a place is free. @throws what the work throws */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(places: number): Semaphore {
  let free = places;
  const waiting: (() => void)[] = [];
  return {
    places,
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

/** One piece of work at a time: each begins when the one before it is over, however that ended. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => createSemaphore(1).run;
