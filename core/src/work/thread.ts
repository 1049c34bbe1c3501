/** A worker thread that answers one message at a time. An idle thread does not keep the process alive. */
import { Worker, type TransferListItem, type WorkerOptions } from 'node:worker_threads';
import { deferred, settledWithin, type Deferred } from '../time/wait.js';
import type { PoolWorker } from './workerPool.js';

/**
 * Milliseconds to end a thread: one that waits for the system, for example for a file on a lost server, cannot be
 * stopped.
 */
const END_MS = 5000;

export interface Thread extends PoolWorker {
  readonly alive: boolean;
  /** Posts the message. @throws the error of `died` if the thread ends before it answers */
  ask<Answer>(message: unknown, transfer?: readonly TransferListItem[]): Promise<Answer>;
}

export interface ThreadOptions extends WorkerOptions {
  readonly script: URL;
  /** @param failure what it threw; undefined if it ended by itself */
  died(failure: Error | undefined, code: number): Error;
  /** In milliseconds; 5000 if absent. */
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
    // Its promise holds the answer, a page: drop it with the request.
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
