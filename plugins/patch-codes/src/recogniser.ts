/** The recogniser of patch codes: each page is thinned out here, and read in a worker thread. */
import { createWorkerPool, startThread, type PatchCode, type PatchRecogniser } from '@platen/core/plugin';
import { thinned } from './thinnedPage.js';

export interface RecogniserSettings {
  /** How many pages are read at the same time. */
  readonly workers: number;
  /** What a worker runs; its own file by default. */
  readonly script?: URL;
  /** How long a page may take from its turn on, in milliseconds. */
  readonly pageMs?: number;
}

/** A page takes some milliseconds; a thread that takes this long hangs, and is ended. */
const PAGE_MS = 30_000;
/** An idle thread, with the page memory that it holds, is given back after this long; another starts in some milliseconds. */
const IDLE_MS = 30_000;

/** What a worker answers. */
export interface PatchAnswer {
  /** Absent: the page has none. */
  readonly code?: PatchCode;
}

export interface ClosableRecogniser extends PatchRecogniser {
  /** Gives up the pages that are read or wait; resolves when the threads have ended. Idempotent. */
  close(): Promise<void>;
}

export function patchRecogniser(settings: RecogniserSettings): ClosableRecogniser {
  const { workers, script = new URL('./worker.js', import.meta.url), pageMs = PAGE_MS } = settings;
  const died = (failure: Error | undefined, code: number): Error =>
    new Error(`the thread that looked for a patch code died (${failure ? failure.message : `code ${code}`})`);
  const pool = createWorkerPool({
    places: workers,
    start: () => startThread({ script, name: 'platen-patch-codes', died }),
    workMs: pageMs,
    late: () => new Error(`the search for a patch code was given up after ${pageMs / 1000} seconds`),
    closed: () => new Error('The reader of patch codes has been closed.'),
    abandoned: 'finishes',
    idleMs: IDLE_MS,
  });
  return {
    kind: 'patch',
    async read(page, _wishes, { signal }) {
      signal.throwIfAborted();
      const { code } = await pool.run(async (take, over) => {
        const thread = await take();
        const thin = await thinned(page, over);
        return thread.ask<PatchAnswer>(thin, [thin.data.buffer as ArrayBuffer]);
      }, signal);
      return code;
    },
    close: pool.close,
  };
}
