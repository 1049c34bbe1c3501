/** The code of a thread: adjusts one page after the other. */
import { parentPort } from 'node:worker_threads';
import { adjustPage, type AdjustRequest, type AdjustResponse } from './adjustPage.js';

parentPort?.on('message', (request: AdjustRequest) => {
  const response = responseTo(request);
  const page = 'page' in response ? response.page : undefined;
  parentPort?.postMessage(response, page ? [page.data.buffer as ArrayBuffer] : []);
});

function responseTo(request: AdjustRequest): AdjustResponse {
  try {
    return adjustPage(request);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
