/** Workers that are started when there is work, kept for the next piece, and replaced when they fail, stall or are abandoned. */
import { unlessAborted } from '../time/wait.js';
import { createSemaphore } from './semaphore.js';

export interface PoolWorker {
  /** False once it is of no more use; absent: as long as its work succeeds. */
  readonly alive?: boolean;
  /** Ends it, whatever it is doing. Its place stays taken until this settles: it has a time limit of its own. */
  end(): Promise<void>;
}

export interface WorkerPoolOptions<W extends PoolWorker> {
  /** How many work at the same time. */
  readonly places: number;
  /** Called for work that finds no idle worker. What it throws costs that work only; what waits in it ends with the signal. */
  start(signal: AbortSignal): W | Promise<W>;
  /** How long a piece of work may take from its turn on, in milliseconds. */
  readonly workMs: number;
  /** The error of work that took longer. */
  late(): Error;
  /** The error of work that is under way, waits or comes when the pool is closed. */
  closed(): Error;
  /** What becomes of the worker whose work is abandoned: it is ended (default), or finishes the work, of which nobody hears. */
  readonly abandoned?: 'ends' | 'finishes';
  /** A worker that was idle for so many milliseconds is ended; never when absent. */
  readonly idleMs?: number;
}

/**
 * @param take takes a worker with its first call
 * @param over aborted when nobody wants the work any more
 */
export type PoolWork<W, T> = (take: () => Promise<W>, over: AbortSignal) => Promise<T>;

export interface WorkerPool<W extends PoolWorker> {
  /**
   * Does the work when a place is free, first come, first served. Work that throws costs the worker that it took.
   * @throws what the work throws, the signal's reason, `late` or `closed`
   */
  run<T>(work: PoolWork<W, T>, signal?: AbortSignal): Promise<T>;
  /** Gives up what is under way and what waits. Resolves when every worker has ended; idempotent. */
  close(): Promise<void>;
}

export function createWorkerPool<W extends PoolWorker>(options: WorkerPoolOptions<W>): WorkerPool<W> {
  const { start, workMs, late, abandoned = 'ends', idleMs } = options;
  const semaphore = createSemaphore(options.places);
  /** With what calls off their end. The one that worked last works next: the others are not started while one is enough. */
  const idle: { readonly worker: W; readonly timer: NodeJS.Timeout | undefined }[] = [];
  const busy = new Set<Promise<unknown>>();
  const closing = new AbortController();

  function rest(worker: W): void {
    if (worker.alive === false) return;
    const entry = { worker, timer: idleMs === undefined ? undefined : setTimeout(retire, idleMs).unref() };
    idle.push(entry);
    function retire(): void {
      idle.splice(idle.indexOf(entry), 1);
      void worker.end();
    }
  }

  function wake(): W | undefined {
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer);
      if (next.worker.alive !== false) return next.worker;
    }
    return undefined;
  }

  /** @param tell gets the outcome at once; the place is held until the worker is idle again or has ended */
  async function work<T>(
    doing: PoolWork<W, T>,
    signal: AbortSignal,
    tell: (outcome: Promise<T>) => void,
  ): Promise<void> {
    const lateness = new AbortController();
    const timer = setTimeout(() => lateness.abort(late()), workMs);
    const over = AbortSignal.any([signal, lateness.signal]);
    let taken: Promise<W> | undefined;
    const take = async (): Promise<W> => {
      over.throwIfAborted();
      return (taken ??= Promise.resolve(wake() ?? start(over)));
    };
    const outcome = unlessAborted(doing(take, over), over);
    tell(outcome);
    try {
      await outcome;
      if (taken) rest(await taken);
    } catch {
      await taken?.then(worker => worker.end()).catch(() => undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async run<T>(doing: PoolWork<W, T>, own?: AbortSignal) {
      const any = own ? AbortSignal.any([own, closing.signal]) : closing.signal;
      any.throwIfAborted();
      const outcome = new Promise<T>((resolve, reject) => {
        const turn = semaphore
          .run(() => work(doing, abandoned === 'ends' ? any : closing.signal, resolve), any)
          .catch(reject);
        busy.add(turn);
        void turn.then(() => busy.delete(turn));
      });
      return unlessAborted(outcome, any);
    },

    async close() {
      closing.abort(options.closed());
      while (busy.size > 0) await Promise.all(busy);
      await Promise.all(idle.splice(0).map(({ worker, timer }) => (clearTimeout(timer), worker.end())));
    },
  };
}
