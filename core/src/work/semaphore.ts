/** How many pieces of work run at the same time: the others wait, first come, first served. */
import { deferred, unlessAborted } from '../time/wait.js';

export interface Semaphore {
  readonly places: number;
  /**
   * Runs the work when a place is free.
   * @param signal gives up waiting for a place; it does not end the work
   * @throws what the work throws, or the signal's reason
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createSemaphore(places: number): Semaphore {
  let free = places;
  const waiting: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = deferred<void>();
    waiting.push(resolve);
    try {
      await unlessAborted(promise, signal);
    } catch (error) {
      const at = waiting.indexOf(resolve);
      // Its turn came in the same moment: the next one has it.
      if (at < 0) leave();
      else waiting.splice(at, 1);
      throw error;
    }
  }

  return {
    places,
    async run(work, signal) {
      signal?.throwIfAborted();
      if (free > 0) free--;
      else await turn(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** One piece of work at a time: each begins when the one before it is over, however that ended. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => createSemaphore(1).run;
