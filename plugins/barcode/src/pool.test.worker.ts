/** A worker for the pool's tests: the sheet's number says what it does with a page. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { parentPort, threadId } from 'node:worker_threads';
import type { Answer, Job } from './jobs.js';

const errands: Readonly<Record<number, (data: Uint8Array) => void>> = {
  2: () => {
    throw new Error('zxing fell over');
  },
  3: () => process.exit(3),
  4: () => {
    for (;;);
  },
  // In the system, where nothing ends a thread: opening a pipe that nobody writes to. Says before that it is there.
  5: data => {
    const pipe = Buffer.from(data).toString();
    writeFileSync(`${pipe}.reached`, '');
    closeSync(openSync(pipe, 'r'));
  },
};

parentPort?.on('message', ({ page }: Job) => {
  errands[page.sheet]?.(page.data);
  const answer: Answer = [{ text: `${threadId} ${page.data.join()} ${page.data.buffer instanceof SharedArrayBuffer}`, barcodeType: 'QR_CODE', confidence: 1 }];
  parentPort?.postMessage(answer, []);
});
