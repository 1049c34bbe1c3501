/** A worker thread: reads one page after the other. What goes wrong ends it, as zxing's memory may be in any state then. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Job, Tools } from './jobs.js';
import { readPage } from './readPage.js';
import { openZxing } from './zxing.js';

const { compiled, thorough } = workerData as Tools;
const zxing = await openZxing(compiled);

parentPort?.on('message', ({ page, wishes }: Job) => {
  const answer: Answer = readPage(zxing, page, wishes, thorough);
  parentPort?.postMessage(answer, []);
});
