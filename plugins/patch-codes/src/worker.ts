/** A worker thread: looks for the patch code of one page after the other. */
import { parentPort } from 'node:worker_threads';
import { findPatch } from './findPatch.js';
import { greyOf } from './greyImage.js';
import type { PatchAnswer } from './recogniser.js';
import type { ThinnedPage } from './thinnedPage.js';

parentPort?.on('message', (page: ThinnedPage) => {
  const code = findPatch(greyOf(page));
  const answer: PatchAnswer = code === undefined ? {} : { code };
  parentPort?.postMessage(answer, []);
});
