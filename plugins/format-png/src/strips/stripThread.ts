/** The code of a thread: encodes one strip after the other. */
import { parentPort } from 'node:worker_threads';
import { createStripCoder, type StripRequest } from './strip.js';

const encode = createStripCoder();

parentPort?.on('message', (request: StripRequest) => {
  const strip = encode(request);
  parentPort?.postMessage(strip, [strip.rows.buffer, strip.chunk.buffer]);
});
