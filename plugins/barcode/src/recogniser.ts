/** The barcode recogniser: pages are read in worker threads, each with memory in which it is passed its page. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createWorkerPool, startThread, unlessAborted } from '@platen/core/plugin';
import type { BarcodeRecogniser, PoolWorker } from '@platen/core/plugin';
import { createSharedPageBuffer } from './sharedPageBuffer.js';
import { compile, type CompiledWasm } from './wasm.js';
import type { ReadRequest, ReadResponse, WorkerSettings } from './workerMessages.js';

export interface RecogniserSettings {
  /** How many pages are read at the same time. */
  readonly workers: number;
  readonly thorough: boolean;
  /** What a worker runs; its own file by default. */
  readonly script?: URL;
  /** How long a page may take from its turn on, in milliseconds. */
  readonly pageMs?: number;
  /** How long an ended thread may take to stop, in milliseconds. */
  readonly endMs?: number;
}

/** The largest pages take some seconds, and more on a busy machine. */
const PAGE_MS = 120_000;
/** An idle thread, with the page memory that it holds, is given back after this long; another starts in some milliseconds. */
const IDLE_MS = 30_000;

interface PageReader extends PoolWorker {
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadResponse>;
}

export interface ClosableRecogniser extends BarcodeRecogniser {
  /** Gives up the pages that are read or wait; resolves when the threads have ended, or had the time to. Idempotent. */
  close(): Promise<void>;
}

export function barcodeRecogniser(settings: RecogniserSettings): ClosableRecogniser {
  const { workers, thorough, script = new URL('./worker.js', import.meta.url), pageMs = PAGE_MS, endMs } = settings;
  let compiled: Promise<CompiledWasm> | undefined;
  /** Compiled once for all workers. A failure, without descriptors or memory, is tried again for the next page. */
  const reader = (): Promise<CompiledWasm> =>
    (compiled ??= compileReader().catch((error: unknown) => {
      compiled = undefined;
      throw error;
    }));

  async function start(signal: AbortSignal): Promise<PageReader> {
    const workerData: WorkerSettings = { compiled: await unlessAborted(reader(), signal), thorough };
    const thread = startThread({
      script,
      workerData,
      name: 'platen-barcode',
      died,
      ...(endMs !== undefined && { endMs }),
    });
    const buffer = createSharedPageBuffer();
    return {
      get alive() {
        return thread.alive;
      },
      async read({ page, wishes }, over) {
        const shared = await buffer.copy(page, over);
        over.throwIfAborted();
        return thread.ask<ReadResponse>({ page: shared, wishes } satisfies ReadRequest);
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
    idleMs: IDLE_MS,
  });
  return {
    kind: 'barcode',
    async read(page, wishes, { signal }) {
      signal.throwIfAborted();
      return pool.run(async (take, over) => (await take()).read({ page, wishes }, over), signal);
    },
    close: pool.close,
  };
}

function died(failure: Error | undefined, code: number): Error {
  return failure
    ? new Error(`the barcode reader failed on the page (${String(failure)})`, { cause: failure })
    : new Error(`the barcode reader's thread ended on the page (code ${code})`);
}

/**
 * From the installed package: by itself, zxing-wasm would fetch it from a server. Resolved at import: without file
 * descriptors, Node would remember that there is no such package.
 */
const readerFile = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

async function compileReader(): Promise<CompiledWasm> {
  return compile(await readFile(readerFile));
}
