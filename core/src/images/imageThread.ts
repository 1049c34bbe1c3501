/** Thread code: checks the images that it receives, one at a time. */
import { parentPort } from 'node:worker_threads';
import { imageFault, type ImageClaim } from './imageFault.js';

export type ThreadAnswer = { readonly verdict: Awaited<ReturnType<typeof imageFault>> } | { readonly error: string };

parentPort?.on(
  'message',
  (claim: ImageClaim) => void answerTo(claim).then(answer => parentPort?.postMessage(answer, [])),
);

async function answerTo(claim: ImageClaim): Promise<ThreadAnswer> {
  try {
    return { verdict: await imageFault(claim) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
