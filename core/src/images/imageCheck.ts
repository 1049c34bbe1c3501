/** Looks through images on threads of its own: started when there are images, ended when there were none for a while. */
import { availableParallelism } from 'node:os';
import { startThread } from '../work/thread.js';
import { createWorkerPool } from '../work/workerPool.js';
import { imageFault, type ImageClaim, type ImageVerdict } from './imageFault.js';
import type { ThreadAnswer } from './imageThread.js';

/** A thread takes 15 ms to start, and some megabytes. */
const IDLE_MS = 30_000;
/** A thread that has not answered for so long is ended; a decoder may tell then. */
const LATE_MS = 60_000;

const late = new Error('the thread that looks through images was given up');

/** Of the process: an A4 page at 300 dpi takes one thread some milliseconds. */
const pool = createWorkerPool({
  places: availableParallelism(),
  start: () =>
    startThread({
      script: new URL('./imageThread.js', import.meta.url),
      died: (failure, code) => failure ?? new Error(`the thread that looks through images ended with code ${code}`),
    }),
  workMs: LATE_MS,
  late: () => late,
  closed: () => new Error('it is never closed'),
  idleMs: IDLE_MS,
});

/**
 * `imageFault`, off the event loop. The data are copied, as they are the page's. Where there is no thread to be had
 * (no descriptors, no memory) it is done here: no page is lost for that.
 */
export async function checkImage(claim: ImageClaim): Promise<ImageVerdict> {
  try {
    return await onThread(claim);
  } catch (error) {
    return error === late ? { undecided: true } : imageFault(claim);
  }
}

/** @throws Error where the thread cannot be started, or fails */
async function onThread({ mimeType, width, height, pixels, data, decoded = false }: ImageClaim): Promise<ImageVerdict> {
  const answer = await pool.run(async take => {
    const thread = await take();
    const copy = new Uint8Array(data);
    return thread.ask<ThreadAnswer>({ mimeType, width, height, pixels, data: copy, decoded } satisfies ImageClaim, [
      copy.buffer,
    ]);
  });
  if ('error' in answer) throw new Error(answer.error);
  return answer.verdict;
}
