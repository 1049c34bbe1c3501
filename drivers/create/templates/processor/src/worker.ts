/** A thread: works on one page after the other. What it throws is the error of that page. */
import { parentPort } from 'node:worker_threads';
import { despeckle, type Options } from './despeckle.js';
import type { Rows } from './threads.js';

export interface Work {
  readonly rows: Rows;
  readonly options: Options;
}

parentPort?.on('message', ({ rows, options }: Work) => {
  const data = despeckle(rows, options);
  parentPort?.postMessage(data, data ? [data.buffer] : []);
});
