/** A worker thread: reads one page after the other. An error ends it, as zxing's memory may then be in any state. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './readPage.js';
import type { ReadRequest, ReadResponse, WorkerSettings } from './workerMessages.js';
import { openZxing } from './zxing.js';

const { compiled, thorough } = workerData as WorkerSettings;
const zxing = await openZxing(compiled);

parentPort?.on('message', ({ page, wishes }: ReadRequest) => {
  const response: ReadResponse = readPage(zxing, page, wishes, thorough);
  parentPort?.postMessage(response, []);
});
