/** A worker for tests that does what the height of its page says. */
import { parentPort, threadId } from 'node:worker_threads';
import type { PageRows } from './page/sharedRows.js';

parentPort?.on('message', ({ height, data }: PageRows) => {
  if (height === 2) throw new Error('it fell over');
  if (height === 3) process.exit(3);
  if (height === 4) return;
  const why = `${threadId} ${[...data].join()} ${data.buffer instanceof SharedArrayBuffer}`;
  parentPort?.postMessage({ isBlank: true, ink: 0, why }, []);
});
