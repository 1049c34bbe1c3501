/** Worker threads that read pages, each with memory in which it is handed them. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createWorkerPool, startThread, unlessAborted, type PoolWorker } from '@platen/core/plugin';
import type { Answer, Job, Tools } from './jobs.js';
import { openShelf } from './shelf.js';
import { compile, type CompiledWasm } from './wasm.js';

export interface PoolOptions {
  readonly workers: number;
  readonly thorough: boolean;
  /** What a worker runs; its own file by default. */
  readonly script?: URL;
  /** How long a page may take from its turn on, in milliseconds. */
  readonly pageMs?: number;
  /** How long a thread that is ended may take to do so, in milliseconds. */
  readonly endMs?: number;
}

/** The largest pages take some seconds; a busy machine takes longer. */
const PAGE_MS = 120_000;

export interface Pool {
  /** Rejects with the signal's reason, with what broke the worker, or once the page's time is over. */
  run(job: Job, signal: AbortSignal): Promise<Answer>;
  /** Idempotent. Pages that are being read or wait are given up. Resolves when the threads have ended, or had the time to. */
  close(): Promise<void>;
}

interface PageReader extends PoolWorker {
  read(job: Job, signal: AbortSignal): Promise<Answer>;
}

/** @param options.workers at most as many pages are read at the same time */
export function openPool({ workers, thorough, script = new URL('./worker.js', import.meta.url), pageMs = PAGE_MS, endMs }: PoolOptions): Pool {
  let compiled: Promise<CompiledWasm> | undefined;
  /** What failed once, without descriptors or memory, is tried again for the next page. */
  const reader = (): Promise<CompiledWasm> =>
    (compiled ??= compileReader().catch((error: unknown) => {
      compiled = undefined;
      throw error;
    }));

  async function start(signal: AbortSignal): Promise<PageReader> {
    const tools: Tools = { compiled: await unlessAborted(reader(), signal), thorough };
    const thread = startThread({ script, workerData: tools, name: 'platen-barcode', died, ...(endMs !== undefined && { endMs }) });
    const shelf = openShelf();
    return {
      get alive() {
        return thread.alive;
      },
      async read({ page, wishes }, over) {
        const handed = await shelf.put(page, over);
        over.throwIfAborted();
        return thread.ask<Answer>({ page: handed, wishes } satisfies Job);
      },
      end: thread.end,
    };
  }

  const pool = createWorkerPool({
    places: workers,
    start,
    workMs: pageMs,
    late: () => new Error(`the barcode reader was given up after ${pageMs / 1000} seconds`),
    closed: () => new Error('The barcode reader has been closed.'),
  });
  return {
    run: (job, signal) => pool.run(async (take, over) => (await take()).read(job, over), signal),
    close: pool.close,
  };
}

function died(failure: Error | undefined, code: number): Error {
  return failure
    ? new Error(`the barcode reader failed on the page (${String(failure)})`, { cause: failure })
    : new Error(`the barcode reader's thread ended on the page (code ${code})`);
}

/** From the installed package: zxing-wasm would fetch it from a server. Found at once: without descriptors Node remembers that there is no such package. */
const readerFile = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

async function compileReader(): Promise<CompiledWasm> {
  return compile(await readFile(readerFile));
}
