/** Threads that work on pages: started when there is work, one page at a time each, replaced when one dies. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, Outcome } from './job.js';

export type Answer = Outcome | { readonly error: string };

/** A page takes a second or two; a thread that is at one for so long hangs, and is ended: nobody else would get it back. */
const JOB_MS = 60_000;

export interface Threads {
  /**
   * The job's page is given away. An abandoned job that has begun is worked to its end, and forgotten.
   * @throws the signal's reason; an Error when the work failed or hung, its thread died, or the threads are closed
   */
  run(job: Job, signal: AbortSignal): Promise<Outcome>;
  /** Ends every thread; idempotent. */
  close(): Promise<void>;
}

interface Task {
  readonly job: Job;
  settle(answer: Answer): void;
}

interface Thread {
  readonly worker: Worker;
  task: Task | undefined;
  late?: NodeJS.Timeout;
  /** Ends it where it hangs. */
  end(why: string): void;
}

/**
 * @param size how many at most; 0: as many as there are cores
 * @param script of the thread
 * @param jobMs how long a page may take once it is its turn
 */
export function createThreads(size = 0, script: URL = new URL('./worker.js', import.meta.url), jobMs = JOB_MS): Threads {
  const most = size || availableParallelism();
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let closed = false;

  const begin = (): Thread => {
    const worker = new Worker(script, { execArgv: [] });
    let why = 'it ended by itself';
    const end = (reason: string): void => {
      why = reason;
      void worker.terminate();
    };
    const thread: Thread = { worker, task: undefined, end };
    worker.on('message', (answer: Answer) => finish(thread, answer));
    worker.on('error', error => (why = error.message));
    worker.on('exit', () => {
      threads.delete(thread);
      finish(thread, { error: closed ? 'the plugin was closed' : `the thread that worked on the page died: ${why}` });
    });
    threads.add(thread);
    return thread;
  };

  const finish = (thread: Thread, answer: Answer): void => {
    const { task } = thread;
    thread.task = undefined;
    clearTimeout(thread.late);
    // An idle thread keeps no process alive.
    thread.worker.unref();
    task?.settle(answer);
    next();
  };

  const next = (): void => {
    while (waiting.length > 0 && !closed) {
      const thread = [...threads].find(each => !each.task) ?? (threads.size < most ? begin() : undefined);
      if (!thread) return;
      const task = waiting.shift()!;
      thread.task = task;
      thread.worker.ref();
      thread.late = setTimeout(() => thread.end(`it was given up after ${jobMs / 1000} s`), jobMs);
      thread.worker.postMessage(task.job, [task.job.page.data.buffer as ArrayBuffer]);
    }
  };

  return {
    run: (job, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (closed) throw new Error('the plugin was closed');
        const task: Task = {
          job,
          settle(answer) {
            signal.removeEventListener('abort', abandon);
            if ('error' in answer) reject(new Error(answer.error));
            else resolve(answer);
          },
        };
        const abandon = (): void => {
          const at = waiting.indexOf(task);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', abandon, { once: true });
        waiting.push(task);
        next();
      }),
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.settle({ error: 'the plugin was closed' });
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
