/** A worker for the recogniser's tests: the sheet number says what it does with a page. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { parentPort, threadId } from 'node:worker_threads';
import type { ReadRequest, ReadResponse } from './workerMessages.js';

const faults: Readonly<Record<number, (data: Uint8Array) => void>> = {
  2: () => {
    throw new Error('zxing fell over');
  },
  3: () => process.exit(3),
  4: () => {
    for (;;);
  },
  // Reports, then blocks in a system call, which no termination interrupts: opens a pipe without a writer.
  5: data => {
    const pipe = Buffer.from(data).toString();
    writeFileSync(`${pipe}.reached`, '');
    closeSync(openSync(pipe, 'r'));
  },
};

parentPort?.on('message', ({ page }: ReadRequest) => {
  faults[page.sheet]?.(page.data);
  const text = `${threadId} ${page.data.join()} ${page.data.buffer instanceof SharedArrayBuffer}`;
  const response: ReadResponse = [{ text, barcodeType: 'QR_CODE', confidence: 1 }];
  parentPort?.postMessage(response, []);
});
