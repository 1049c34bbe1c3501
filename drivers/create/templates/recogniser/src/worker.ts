/** A thread: reads one page after the other. What it throws is the error of that page. */
import { parentPort } from 'node:worker_threads';
import type { Rows } from './threads.js';
import { readTicks, type Wishes } from './ticks.js';

export interface Work {
  readonly rows: Rows;
  readonly wishes: Wishes;
}

parentPort?.on('message', ({ rows, wishes }: Work) => parentPort?.postMessage(readTicks(rows, wishes), []));
