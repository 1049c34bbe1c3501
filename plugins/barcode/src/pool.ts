/** Worker threads that read pages: started when there is work, replaced when they break, ended by `close`. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Answer, Job, Tools } from './jobs.js';
import { openShelf, type Shelf } from './shelf.js';
import { compile, type CompiledWasm } from './wasm.js';

export interface PoolOptions {
  readonly workers: number;
  readonly thorough: boolean;
  /** What a worker runs; its own file by default. */
  readonly script?: URL;
  /** How long a page may take from its turn on, in milliseconds. */
  readonly pageMs?: number;
  /** How long a thread that is ended may take to do so, in milliseconds: what waits for the system, for a file on a server that is gone, cannot be stopped. */
  readonly endMs?: number;
}

/** The largest pages take some seconds; a busy machine takes longer. */
const PAGE_MS = 120_000;
const END_MS = 5000;

export interface Pool {
  /** Rejects with the signal's reason, with what broke the worker, or once the page's time is over. */
  run(job: Job, signal: AbortSignal): Promise<Answer>;
  /** Idempotent. Pages that are being read or wait are given up. Resolves when the threads have ended, or had the time to. */
  close(): Promise<void>;
}

interface Post {
  readonly shelf: Shelf;
  /** None before its first page, after a crash and after a page was abandoned. */
  worker: Worker | undefined;
}

/** @param options.workers at most as many pages are read at the same time */
export function openPool({ workers, thorough, script = new URL('./worker.js', import.meta.url), pageMs = PAGE_MS, endMs = END_MS }: PoolOptions): Pool {
  const free: Post[] = Array.from({ length: workers }, () => ({ shelf: openShelf(), worker: undefined }));
  const posts = [...free];
  const waiting: ((post: Post) => void)[] = [];
  const closing = new AbortController();
  let compiled: Promise<CompiledWasm> | undefined;

  const leave = (post: Post): void => {
    const next = waiting.shift();
    if (next) next(post);
    // The one that worked last works next: the others are not started while one is enough.
    else free.unshift(post);
  };

  /** Waits for its turn; gives up its place in the queue when the signal aborts. */
  const enter = (signal: AbortSignal): Promise<Post> =>
    new Promise((resolve, reject) => {
      const post = free.shift();
      if (post) return resolve(post);
      const abandon = () => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(reasonOf(signal));
      };
      const take = (freed: Post) => {
        signal.removeEventListener('abort', abandon);
        resolve(freed);
      };
      signal.addEventListener('abort', abandon, { once: true });
      waiting.push(take);
    });

  /** What failed once, without descriptors or memory, is tried again for the next page. */
  const reader = (): Promise<CompiledWasm> =>
    (compiled ??= compileReader().catch((error: unknown) => {
      compiled = undefined;
      throw error;
    }));

  const staffed = async (post: Post, signal: AbortSignal): Promise<Worker> => {
    if (post.worker) return post.worker;
    const tools: Tools = { compiled: await unlessAborted(reader(), signal), thorough };
    const worker = new Worker(script, { workerData: tools, execArgv: [], name: 'platen-barcode' });
    worker.unref();
    post.worker = worker;
    // It may also break between two pages.
    worker.once('error', () => {}).once('exit', () => {
      if (post.worker === worker) post.worker = undefined;
    });
    return worker;
  };

  const endings = new Set<Promise<void>>();
  const ended = async (worker: Worker | undefined): Promise<void> => {
    if (!worker) return;
    const patience = new AbortController();
    await Promise.race([worker.terminate(), delay(endMs, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
  };

  return {
    async run(job, ownSignal) {
      const outer = AbortSignal.any([ownSignal, closing.signal]);
      outer.throwIfAborted();
      const post = await enter(outer);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new Error(`the barcode reader was given up after ${pageMs / 1000} seconds`)), pageMs);
      const signal = AbortSignal.any([outer, late.signal]);
      try {
        const page = await post.shelf.put(job.page, signal);
        const worker = await staffed(post, signal);
        signal.throwIfAborted();
        const answer = await ask(worker, { ...job, page }, signal);
        leave(post);
        return answer;
      } catch (error) {
        // It may still be at work on this page, or broken: the next page gets a new one.
        const { worker } = post;
        post.worker = undefined;
        const gone = ended(worker).then(() => {
          endings.delete(gone);
          leave(post);
        });
        endings.add(gone);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },

    async close() {
      closing.abort(new Error('The barcode reader has been closed.'));
      await Promise.all([...endings, ...posts.map(({ worker }) => ended(worker))]);
    },
  };
}

/** The service may exit while workers wait, and not while one of them reads. */
function ask(worker: Worker, job: Job, signal: AbortSignal): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('exit', onExit).unref();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAnswer = (answer: Answer) => end(() => resolve(answer));
    const onError = (error: unknown) => end(() => reject(new Error(`the barcode reader failed on the page (${String(error)})`, { cause: error })));
    const onExit = (code: number) => end(() => reject(new Error(`the barcode reader's thread ended on the page (code ${code})`)));
    const onAbort = () => end(() => reject(reasonOf(signal)));
    worker.on('message', onAnswer).on('error', onError).on('exit', onExit).ref();
    signal.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(job, []);
  });
}

function unlessAborted<T>(doing: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(reasonOf(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    doing.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason as Error;
}

/** From the installed package: zxing-wasm would fetch it from a server. Found at once: without descriptors Node remembers that there is no such package. */
const readerFile = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

async function compileReader(): Promise<CompiledWasm> {
  return compile(await readFile(readerFile));
}
