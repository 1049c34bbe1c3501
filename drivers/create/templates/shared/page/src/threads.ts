/** The threads that work on pixels: on the service's own, nothing would answer meanwhile. */
import { availableParallelism } from 'node:os';
import { createWorkerPool, packedRows, startThread, type Pixels, type RawPage } from '@platen/core/plugin';

/** A page takes a second or two; a thread that takes this long hangs, and is ended. */
const WORK_MS = 60_000;
const IDLE_MS = 30_000;

/** A page's pixels, without padding, in a buffer of their own. */
export interface Rows {
  readonly pixels: Pixels;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A copy that a thread may keep: formats and recognisers read the page's own buffer at the same time. */
export function rowsOf(page: RawPage): Rows {
  const { pixels, width, height, dpi } = page;
  return { pixels, width, height, dpi, data: new Uint8Array(packedRows(page)) };
}

export interface Threads<Work, Answer> {
  /**
   * @param moved buffers that the thread gets, and this one can no longer use
   * @throws what the work throws, or the signal's reason
   */
  run(work: Work, signal: AbortSignal, moved: readonly ArrayBuffer[]): Promise<Answer>;
  close(): Promise<void>;
}

/** They run src/worker.ts: as many as there are processors, from the first page on. */
export function createThreads<Work, Answer>(): Threads<Work, Answer> {
  const script = new URL('./worker.js', import.meta.url);
  const pool = createWorkerPool({
    places: availableParallelism(),
    start: () => startThread({ script, died: failure => failure ?? new Error('the thread ended by itself') }),
    workMs: WORK_MS,
    idleMs: IDLE_MS,
    late: () => new Error(`the work on a page took more than ${WORK_MS / 1000} s`),
    closed: () => new Error('@acme/acme-f100 was closed'),
  });
  return {
    run: (work, signal, moved) => pool.run(async take => (await take()).ask<Answer>(work, moved), signal),
    close: () => pool.close(),
  };
}
