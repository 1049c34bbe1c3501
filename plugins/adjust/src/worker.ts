/** A thread's own code: works on one page after the other, as they come. */
import { parentPort } from 'node:worker_threads';
import { outcomeOf, type Answer, type Job } from './job.js';

parentPort?.on('message', (job: Job) => {
  const answer = answerTo(job);
  const page = 'page' in answer ? answer.page : undefined;
  parentPort?.postMessage(answer, page ? [page.data.buffer as ArrayBuffer] : []);
});

function answerTo(job: Job): Answer {
  try {
    return outcomeOf(job);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
