/** A thread: turns one page after the other. What it throws is the error of that page. */
import { parentPort } from 'node:worker_threads';
import type { Turn } from '@platen/core/plugin';
import { turnedPng } from './png.js';
import type { Rows } from './threads.js';

export interface Work {
  readonly rows: Rows;
  readonly turn: Turn;
}

parentPort?.on('message', ({ rows, turn }: Work) => {
  const file = turnedPng(rows, turn);
  parentPort?.postMessage(file, [file.buffer]);
});
