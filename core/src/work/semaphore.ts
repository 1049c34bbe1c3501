/** Limits how many tasks run at the same time: the others wait, first come, first served. */
import { deferred, unlessAborted } from '../time/wait.js';

export interface Semaphore {
  readonly places: number;
  /** Tasks that wait for a place. */
  readonly waiting: number;
  /**
   * Runs the task when a place is free.
   * @param signal ends waiting for a place; it does not end the task
   * @throws the task's error, or the signal's reason
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
      // Its turn came at the same moment: pass it on.
      if (at < 0) leave();
      else waiting.splice(at, 1);
      throw error;
    }
  }

  return {
    places,
    get waiting() {
      return waiting.length;
    },
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

/** One task at a time: each starts when the previous one has settled. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => createSemaphore(1).run;
