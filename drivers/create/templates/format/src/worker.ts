/** A thread: encodes or decodes one page after the other. What it throws is the error of that page. */
import { parentPort } from 'node:worker_threads';
import { decode } from './decode.js';
import { encode } from './encode.js';
import type { Rows } from './threads.js';

export type Work = { readonly rows: Rows } | { readonly file: Uint8Array };

parentPort?.on('message', (work: Work) => {
  const answer = 'rows' in work ? { file: encode(work.rows) } : { image: decode(work.file) };
  const { buffer } = 'file' in answer ? answer.file : answer.image.data;
  parentPort?.postMessage(answer, [buffer]);
});
