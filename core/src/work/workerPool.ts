/** Workers that start on demand, are reused, and are replaced when they fail, stall or are abandoned. */
import { eitherSignal, unlessAborted } from '../time/wait.js';
import { whenAtRest } from './rest.js';
import { createSemaphore } from './semaphore.js';

export interface PoolWorker {
  /** False once it is unusable; absent: usable as long as its work succeeds. */
  readonly alive?: boolean;
  /** Ends it, whatever it is doing. Its place stays taken until this settles: it has its own time limit. */
  end(): Promise<void>;
}

export interface WorkerPoolOptions<W extends PoolWorker> {
  /** How many work at the same time. */
  readonly places: number;
  /**
   * Called for work that finds no idle worker. Its error fails that work only; all waits in it must end with the
   * signal.
   */
  start(signal: AbortSignal): W | Promise<W>;
  /** Milliseconds that a task may take from its turn on. */
  readonly workMs: number;
  /** The error of a task that took longer. */
  late(): Error;
  /** The error of tasks that run, wait or arrive when the pool is closed. */
  closed(): Error;
  /**
   * What happens to a worker whose task is abandoned: it is ended (default), or finishes the task without a listener.
   */
  readonly abandoned?: 'ends' | 'finishes';
  /** Milliseconds after which an idle worker is ended; never if absent. */
  readonly idleMs?: number;
  /**
   * What happens to idle workers 5 s after the last scan: with `idleMs`, they are ended (default), or stay until then,
   * because they take long to start.
   */
  readonly atRest?: 'ends' | 'stays';
}

/**
 * @param take takes a worker with its first call
 * @param over aborted when the work is no longer wanted
 */
export type PoolWork<W, T> = (take: () => Promise<W>, over: AbortSignal) => Promise<T>;

export interface WorkerPool<W extends PoolWorker> {
  /**
   * Does the work when a place is free, first come, first served. A failed task costs the worker that it took.
   * @throws the task's error, the signal's reason, `late` or `closed`
   */
  run<T>(work: PoolWork<W, T>, signal?: AbortSignal): Promise<T>;
  /** Abandons running and waiting tasks. Resolves when every worker has ended; idempotent. */
  close(): Promise<void>;
}

export function createWorkerPool<W extends PoolWorker>(options: WorkerPoolOptions<W>): WorkerPool<W> {
  const { start, workMs, late, abandoned = 'ends', idleMs, atRest = 'ends' } = options;
  const semaphore = createSemaphore(options.places);
  /** Idle workers with their end timers. The last one to work is reused first: no others start while one suffices. */
  const idle: { readonly worker: W; readonly timer: NodeJS.Timeout | undefined }[] = [];
  const busy = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const endIdle = (): Promise<unknown> =>
    Promise.all(idle.splice(0).map(({ worker, timer }) => (clearTimeout(timer), worker.end())));
  const stopResting =
    idleMs === undefined || atRest === 'stays' ? undefined : whenAtRest(() => void endIdle().catch(() => undefined));

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
    const { signal: over, release } = eitherSignal(signal, lateness.signal);
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
      release();
    }
  }

  return {
    async run<T>(doing: PoolWork<W, T>, own?: AbortSignal) {
      const { signal: any, release } = own
        ? eitherSignal(own, closing.signal)
        : { signal: closing.signal, release: () => undefined };
      if (any.aborted) throw any.reason;
      const outcome = new Promise<T>((resolve, reject) => {
        const turn = semaphore
          .run(() => work(doing, abandoned === 'ends' ? any : closing.signal, resolve), any)
          .catch(reject);
        busy.add(turn);
        void turn.then(() => {
          busy.delete(turn);
          release();
        });
      });
      return unlessAborted(outcome, any);
    },

    async close() {
      closing.abort(options.closed());
      while (busy.size > 0) await Promise.all(busy);
      stopResting?.();
      await endIdle();
    },
  };
}
