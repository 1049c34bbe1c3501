/** The plugin's threads: a worker pool in which each thread adjusts one page at a time. */
import { availableParallelism } from 'node:os';
import { createWorkerPool, startThread } from '@platen/core/plugin';
import type { AdjustResponse, AdjustRequest, Outcome } from './adjustPage.js';

/** A page takes a second or two; a thread that takes this long hangs, and is ended. */
const WORK_MS = 60_000;
/** An idle thread, with the page memory that it holds, is given back after this long; another starts in some milliseconds. */
const IDLE_MS = 30_000;

export interface Threads {
  /**
   * Transfers the page's buffer. A request that is aborted while it runs is finished, and its outcome dropped.
   * @throws the signal's reason; an Error when the work failed or hung, its thread died, or the pool is closed
   */
  run(request: AdjustRequest, signal: AbortSignal): Promise<Outcome>;
  /** Ends every thread. Idempotent. */
  close(): Promise<void>;
}

/**
 * @param size the largest number of threads; 0: one per core
 * @param script what a thread runs
 * @param workMs how long a page may take from its turn on
 */
export function createThreads(size = 0, script = new URL('./worker.js', import.meta.url), workMs = WORK_MS): Threads {
  const died = (why: string): Error => new Error(`the thread that worked on the page died: ${why}`);
  const pool = createWorkerPool({
    places: size || availableParallelism(),
    start: () => startThread({ script, died: failure => died(failure?.message ?? 'it ended by itself') }),
    workMs,
    late: () => died(`it was given up after ${workMs / 1000} s`),
    closed: () => new Error('the plugin was closed'),
    abandoned: 'finishes',
    idleMs: IDLE_MS,
  });
  return {
    async run(request, signal) {
      const transfer = [request.page.data.buffer as ArrayBuffer];
      const response = await pool.run(async take => (await take()).ask<AdjustResponse>(request, transfer), signal);
      if ('error' in response) throw new Error(response.error);
      return response;
    },
    close: pool.close,
  };
}
