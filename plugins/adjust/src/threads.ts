/** Threads that work on pages, one page at a time each. */
import { availableParallelism } from 'node:os';
import { createWorkerPool, startThread } from '@platen/core/plugin';
import type { Answer, Job, Outcome } from './job.js';

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

/**
 * @param size how many at most; 0: as many as there are cores
 * @param script of the thread
 * @param jobMs how long a page may take once it is its turn
 */
export function createThreads(size = 0, script: URL = new URL('./worker.js', import.meta.url), jobMs = JOB_MS): Threads {
  const died = (why: string): Error => new Error(`the thread that worked on the page died: ${why}`);
  const pool = createWorkerPool({
    places: size || availableParallelism(),
    start: () => startThread({ script, died: failure => died(failure?.message ?? 'it ended by itself') }),
    workMs: jobMs,
    late: () => died(`it was given up after ${jobMs / 1000} s`),
    closed: () => new Error('the plugin was closed'),
    abandoned: 'finishes',
  });
  return {
    async run(job, signal) {
      const answer = await pool.run(async take => (await take()).ask<Answer>(job, [job.page.data.buffer as ArrayBuffer]), signal);
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    close: pool.close,
  };
}
