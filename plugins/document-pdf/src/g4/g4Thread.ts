/** Thread code: encodes the 1-bit pages that it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { encodeG4, type Bits } from './g4.js';

parentPort?.on('message', (page: Bits) => {
  const data = encodeG4(page);
  parentPort?.postMessage(data, [data.buffer as ArrayBuffer]);
});
