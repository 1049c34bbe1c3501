/** A worker for the pool's tests: the sheet's number says what it does with a page. */
import { parentPort, threadId } from 'node:worker_threads';
import type { Answer, Job } from './jobs.js';

const errands: Readonly<Record<number, () => void>> = {
  2: () => {
    throw new Error('zxing fell over');
  },
  3: () => process.exit(3),
  4: () => {
    for (;;);
  },
};

parentPort?.on('message', ({ page }: Job) => {
  errands[page.sheet]?.();
  const answer: Answer = [{ text: `${threadId} ${page.data.join()} ${page.data.buffer instanceof SharedArrayBuffer}`, barcodeType: 'QR_CODE', confidence: 1 }];
  parentPort?.postMessage(answer, []);
});
