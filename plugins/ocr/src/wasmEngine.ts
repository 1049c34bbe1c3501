/** The bundled engine: Tesseract as WebAssembly, each reader a thread that runs tesseract.js's own worker script. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '@platen/core/plugin';
import type { LanguageData } from './languages.js';
import type { Engine, Reader } from './engine.js';

/**
 * tesseract.js's worker script, bundled with what it needs: see bundle.mjs, which finds it at a private path. An exact
 * version in package.json and a test pin that. Its public `createWorker` (7.0.0) cannot do what a service needs.
 * Nothing listens to the thread's `error`, so a thread that throws while it starts is an uncaught exception of the
 * service. A thread that exits while it starts leaves the call pending, without a handle that could end it; `terminate`
 * during `recognize` leaves that pending. Images are copied twice on the event loop (20 ms for 35 MB) instead of
 * transferred, what Tesseract prints goes to the service's own output, and all languages must lie in one folder.
 */
export const workerScript = (): string => fileURLToPath(new URL('tesseract/worker.cjs', import.meta.url));

/** Tesseract's number for the neural network alone. */
const LSTM_ONLY = 1;

/** Tesseract's number for automatic page segmentation: the default of the program, not of the library. */
const WHOLE_PAGE = '3';

interface Answer {
  readonly jobId: number;
  readonly status: 'resolve' | 'reject' | 'progress';
  readonly data: unknown;
}

/** @param script what the threads run; another one in tests */
export function wasmEngine(languages: readonly LanguageData[], script = workerScript()): Engine {
  return { name: 'wasm', start: () => startThread(languages, script) };
}

function startThread(languages: readonly LanguageData[], script: string): Reader {
  // What Tesseract prints is dropped: it may quote the page.
  const thread = new Worker(script, { stdout: true, stderr: true, execArgv: [] });
  thread.stdout.resume();
  thread.stderr.resume();

  let jobs = 0;
  let failure: Error | undefined;
  const asked = new Map<number, { resolve(data: unknown): void; reject(error: Error): void }>();
  const fail = (error: Error): void => {
    failure ??= error;
    for (const job of asked.values()) job.reject(failure);
    asked.clear();
  };
  thread.on('error', error => fail(new Error(`the engine's thread failed (${messageOf(error)})`, { cause: error })));
  thread.on('exit', () => fail(new Error("the engine's thread ended")));
  thread.on('message', ({ jobId, status, data }: Answer) => {
    const job = asked.get(jobId);
    if (status === 'progress' || !job) return;
    asked.delete(jobId);
    if (status === 'resolve') job.resolve(data);
    else job.reject(new Error(`the engine failed (${String(data).replace(/^Error: /, '')})`));
  });

  const ask = (action: string, payload: object, gift: readonly ArrayBuffer[] = []): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      const jobId = jobs++;
      asked.set(jobId, { resolve, reject });
      thread.postMessage({ workerId: 'reader', jobId, action, payload }, gift);
    });

  const starting = (async () => {
    // The script compares this with Tesseract's numbers to choose its engine, and tests it as a flag elsewhere.
    await ask('load', { options: { lstmOnly: LSTM_ONLY } });
    for (const { code, folder } of languages) {
      await ask('loadLanguage', { langs: [code], options: { langPath: folder, cacheMethod: 'none', gzip: true } });
    }
    await ask('initialize', { langs: languages.map(each => each.code).join('+'), oem: LSTM_ONLY, config: {} });
    await ask('setParameters', { params: { tessedit_pageseg_mode: WHOLE_PAGE } });
  })();
  starting.catch(() => undefined);

  return {
    async read({ file, dpi }) {
      // Only a thread at work keeps the process alive.
      thread.ref();
      try {
        await starting;
        const options = { user_defined_dpi: String(dpi) };
        const found = await ask('recognize', { image: file, options, output: { tsv: true, text: false } }, [
          file.buffer,
        ]);
        return (found as { tsv: string }).tsv;
      } finally {
        thread.unref();
      }
    },

    async end() {
      await thread.terminate();
    },
  };
}
