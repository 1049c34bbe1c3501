/** A worker thread that answers one message at a time. While it is idle it keeps no process alive. */
import { Worker, type TransferListItem, type WorkerOptions } from 'node:worker_threads';
import { deferred, settledWithin, type Deferred } from '../time/wait.js';
import type { PoolWorker } from './workerPool.js';

/** How long a thread that is ended may take to do so: what waits for the system, for a file on a server that is gone, cannot be stopped. */
const END_MS = 5000;

export interface Thread extends PoolWorker {
  readonly alive: boolean;
  /** Posts the message. @throws what `died` makes of the thread's end, where that comes before an answer */
  ask<Answer>(message: unknown, transfer?: readonly TransferListItem[]): Promise<Answer>;
}

export interface ThreadOptions extends WorkerOptions {
  readonly script: URL;
  /** @param failure what it threw; undefined: it ended by itself */
  died(failure: Error | undefined, code: number): Error;
  /** In milliseconds; 5000 when absent. */
  readonly endMs?: number;
}

export function startThread({ script, died, endMs = END_MS, ...options }: ThreadOptions): Thread {
  const worker = new Worker(script, { execArgv: [], ...options });
  worker.unref();
  let asked: Deferred<unknown> | undefined;
  let failure: Error | undefined;
  let end: Error | undefined;
  worker.on('message', (answer: unknown) => {
    worker.unref();
    asked?.resolve(answer);
    // Its promise holds the answer: a page, which is gone with whoever asked.
    asked = undefined;
  });
  worker.on('error', error => (failure = error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', code => {
    end = died(failure, code);
    asked?.reject(end);
  });
  return {
    get alive() {
      return !end;
    },
    async ask<Answer>(message: unknown, transfer: readonly TransferListItem[] = []) {
      if (end) throw end;
      asked = deferred<unknown>();
      worker.ref();
      worker.postMessage(message, transfer);
      return asked.promise as Promise<Answer>;
    },
    end: async () => void (await settledWithin(worker.terminate(), endMs)),
  };
}
