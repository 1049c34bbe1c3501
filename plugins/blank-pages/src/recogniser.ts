/** The recogniser of blank pages: pages are judged in worker threads, each with memory in which it is passed their rows. */
import { createWorkerPool, startThread } from '@platen/core/plugin';
import type { Blank, BlankRecogniser, PoolWorker, RawPage } from '@platen/core/plugin';
import { createSharedRows } from './page/sharedRows.js';

export interface RecogniserSettings {
  /** How many pages are judged at the same time. */
  readonly workers: number;
  /** What a worker runs; its own file by default. */
  readonly script?: URL;
  /** How long a page may take from its turn on, in milliseconds. */
  readonly pageMs?: number;
}

/** A page takes some milliseconds; a thread that takes this long hangs. */
const PAGE_MS = 60_000;
/** An idle thread, with the page memory that it holds, is given back after this long; another starts in some milliseconds. */
const IDLE_MS = 30_000;

interface Judge extends PoolWorker {
  judge(page: RawPage, signal: AbortSignal): Promise<Blank>;
}

export interface ClosableRecogniser extends BlankRecogniser {
  /** Gives up the pages that are judged or wait; resolves when the threads have ended. Idempotent. */
  close(): Promise<void>;
}

export function blankRecogniser(settings: RecogniserSettings): ClosableRecogniser {
  const { workers, script = new URL('./worker.js', import.meta.url), pageMs = PAGE_MS } = settings;

  function start(): Judge {
    const thread = startThread({ script, name: 'platen-blank-pages', died });
    const rows = createSharedRows();
    return {
      get alive() {
        return thread.alive;
      },
      async judge(page, signal) {
        const shared = await rows.copy(page, signal);
        signal.throwIfAborted();
        return thread.ask<Blank>(shared);
      },
      end: thread.end,
    };
  }

  const pool = createWorkerPool({
    places: workers,
    start,
    workMs: pageMs,
    late: () => new Error(`the search for content was given up after ${pageMs / 1000} seconds`),
    closed: () => new Error('The recogniser of blank pages has been closed.'),
    idleMs: IDLE_MS,
  });
  return {
    kind: 'blank',
    async read(page, _wishes, { signal }) {
      signal.throwIfAborted();
      return pool.run(async (take, over) => (await take()).judge(page, over), signal);
    },
    close: pool.close,
  };
}

function died(failure: Error | undefined, code: number): Error {
  return failure
    ? new Error(`the search for content failed on the page (${String(failure)})`, { cause: failure })
    : new Error(`the thread that searched the page for content ended (code ${code})`);
}
