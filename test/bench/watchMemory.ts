/** The memory of a process and of all that it started, while something is measured. */
import { processTree } from '../topology/processTree.js';

const EVERY_MS = 200;

/** Resident bytes, the most at any look; what two processes share counts twice. */
export interface Watched {
  readonly bytes: number;
  /** Of the process itself. */
  readonly own: number;
}

/** Looks again and again until it is told to end. */
export function watchMemory(pid: number): () => Watched {
  let [bytes, own] = [0, 0];
  const timer = setInterval(() => {
    const sizes = processTree(pid).map(({ rss }) => rss);
    bytes = Math.max(
      bytes,
      sizes.reduce((sum, each) => sum + each, 0),
    );
    own = Math.max(own, sizes[0] ?? 0);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    return { bytes, own };
  };
}
