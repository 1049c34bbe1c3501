/** A worker thread: judges one page after the other. */
import { parentPort } from 'node:worker_threads';
import { judge } from './judge.js';
import type { PageRows } from './page/sharedRows.js';

parentPort?.on('message', (rows: PageRows) => parentPort?.postMessage(judge(rows), []));
