/** Looks through images on threads of its own: started when there are images, ended when there were none for a while. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { imageFault, type ImageClaim, type ImageVerdict } from './imageFault.js';
import type { ThreadAnswer } from './imageThread.js';

/** A thread takes 15 ms to start, and some megabytes. */
const IDLE_MS = 30_000;
/** A thread that has not answered for so long is ended; a decoder may tell then. */
const LATE_MS = 60_000;

interface Asked {
  resolve(verdict: ImageVerdict): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  /** In the order in which they were asked, which is that of the answers. */
  readonly asked: Asked[];
  idle?: NodeJS.Timeout;
}

/** Of the process: an A4 page at 300 dpi takes one of them some milliseconds. */
const threads = new Set<Thread>();
const most = availableParallelism();

/**
 * `imageFault`, off the event loop. The data are copied, as they are the page's. Where there is no thread to be had
 * (no descriptors, no memory) it is done here: no page is lost for that.
 */
export async function checkImage(claim: ImageClaim): Promise<ImageVerdict> {
  try {
    return await onThread(claim);
  } catch {
    return imageFault(claim);
  }
}

/** @throws Error where the thread cannot be started, or fails */
async function onThread({ mimeType, width, height, pixels, data, decoded = false }: ImageClaim): Promise<ImageVerdict> {
  const thread = leastBusy();
  clearTimeout(thread.idle);
  thread.worker.ref();
  let late: NodeJS.Timeout | undefined;
  return new Promise<ImageVerdict>((resolve, reject) => {
    thread.asked.push({ resolve, reject });
    const copy = new Uint8Array(data);
    thread.worker.postMessage({ mimeType, width, height, pixels, data: copy, decoded } satisfies ImageClaim, [copy.buffer]);
    late = setTimeout(() => {
      resolve({ undecided: true });
      void thread.worker.terminate();
    }, LATE_MS);
  }).finally(() => clearTimeout(late));
}

function leastBusy(): Thread {
  const [first] = [...threads].sort((a, b) => a.asked.length - b.asked.length);
  return first && (first.asked.length === 0 || threads.size >= most) ? first : begin();
}

function begin(): Thread {
  const thread: Thread = { worker: new Worker(new URL('./imageThread.js', import.meta.url), { execArgv: [] }), asked: [] };
  const { worker, asked } = thread;
  threads.add(thread);
  worker.on('message', (answer: ThreadAnswer) => {
    const its = asked.shift();
    if ('error' in answer) its?.reject(new Error(answer.error));
    else its?.resolve(answer.verdict);
    if (asked.length === 0) rest(thread);
  });
  let why = 'it ended by itself';
  worker.on('error', error => (why = error.message));
  worker.on('exit', () => {
    threads.delete(thread);
    clearTimeout(thread.idle);
    for (const each of asked.splice(0)) each.reject(new Error(`the thread that looks through images died: ${why}`));
  });
  return thread;
}

/** An idle thread keeps no process alive. */
function rest(thread: Thread): void {
  thread.worker.unref();
  thread.idle = setTimeout(() => {
    threads.delete(thread);
    void thread.worker.terminate();
  }, IDLE_MS).unref();
}
