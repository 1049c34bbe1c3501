/** Limits how many tasks run at the same time: the others wait, first come, first served, and owners in turn. */
import { deferred, unlessAborted } from '../time/wait.js';

export interface Semaphore {
  readonly places: number;
  /** Tasks that wait for a place. */
  readonly waiting: number;
  /**
   * Runs the task when a place is free.
   * @param signal ends waiting for a place; it does not end the task
   * @param owner whose task it is: the one whose last turn was longest ago comes first. Tasks without one are one owner's
   * @throws the task's error, or the signal's reason
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, owner?: object): Promise<T>;
}

export function createSemaphore(places: number): Semaphore {
  let free = places;
  const waiting: Waiting[] = [];
  /** When each owner had its last turn: a count. */
  const served = new WeakMap<object, number>();
  let turns = 0;
  const begin = (owner: object): void => void served.set(owner, ++turns);

  const leave = (): void => {
    const next = earliest(waiting, owner => served.get(owner) ?? 0);
    if (!next) return void free++;
    waiting.splice(waiting.indexOf(next), 1);
    begin(next.owner);
    next.go();
  };

  async function turn(owner: object, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = deferred<void>();
    const mine: Waiting = { owner, go: resolve };
    waiting.push(mine);
    try {
      await unlessAborted(promise, signal);
    } catch (error) {
      const at = waiting.indexOf(mine);
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
    async run(work, signal, owner = NOBODY) {
      signal?.throwIfAborted();
      if (free > 0) {
        free--;
        begin(owner);
      } else await turn(owner, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

interface Waiting {
  readonly owner: object;
  go(): void;
}

const NOBODY = {};

/** The first of those whose owner had its turn longest ago. */
function earliest(waiting: readonly Waiting[], servedAt: (owner: object) => number): Waiting | undefined {
  let [best] = waiting;
  for (const each of waiting) if (best && servedAt(each.owner) < servedAt(best.owner)) best = each;
  return best;
}

/** One task at a time: each starts when the previous one has settled. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => {
  const { run } = createSemaphore(1);
  return work => run(work);
};
