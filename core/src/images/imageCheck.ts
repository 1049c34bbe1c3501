/** Checks images on threads, which start on demand and end when idle. */
import { availableParallelism } from 'node:os';
import { startThread } from '../work/thread.js';
import { createWorkerPool } from '../work/workerPool.js';
import { imageFault, type ImageClaim, type ImageVerdict } from './imageFault.js';
import type { ThreadAnswer } from './imageThread.js';

/** A thread needs 15 ms to start and some megabytes. */
const IDLE_MS = 30_000;
/** A thread that does not answer within this is ended; a decoder may decide then. */
const LATE_MS = 60_000;

const late = new Error('the image check took too long');

/** Per process: a thread checks an A4 page at 300 dpi in some milliseconds. */
const pool = createWorkerPool({
  places: availableParallelism(),
  start: () =>
    startThread({
      script: new URL('./imageThread.js', import.meta.url),
      died: (failure, code) => failure ?? new Error(`the image check thread ended with code ${code}`),
    }),
  workMs: LATE_MS,
  late: () => late,
  closed: () => new Error('the image check was closed'),
  idleMs: IDLE_MS,
});

/**
 * `imageFault` off the event loop. The data are copied, because they belong to the page. If no thread can be started
 * (no descriptors, no memory), the check runs here: no page is lost.
 */
export async function checkImage(claim: ImageClaim): Promise<ImageVerdict> {
  try {
    return await onThread(claim);
  } catch (error) {
    return error === late ? { undecided: true } : imageFault(claim);
  }
}

/** @throws Error if the thread cannot be started, or fails */
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
