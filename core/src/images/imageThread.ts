/** A thread's own code: looks through one image after the other, as they come. */
import { parentPort } from 'node:worker_threads';
import { createMutex } from '../work/semaphore.js';
import { imageFault, type ImageClaim } from './imageFault.js';

export type ThreadAnswer = { readonly verdict: Awaited<ReturnType<typeof imageFault>> } | { readonly error: string };

const alone = createMutex();

parentPort?.on('message', (claim: ImageClaim) => {
  void alone(async () => parentPort?.postMessage(await answerTo(claim), []));
});

async function answerTo(claim: ImageClaim): Promise<ThreadAnswer> {
  try {
    return { verdict: await imageFault(claim) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
