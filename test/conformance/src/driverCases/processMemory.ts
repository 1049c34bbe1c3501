/** Memory of this process, as V8 counts it: what is held, and the peak while something runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Needs no flag of the process. */
async function collectGarbage(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // Buffers are freed a moment after the objects that own them.
  for (let i = 0; i < 3; i++) {
    collect();
    await pause(5);
  }
}

/** Bytes of all objects and buffers that are in use. */
export async function heldBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Bytes of the buffers that are in use, and of strings and arrays of more than 128 kB: without the noise of small objects. */
export async function largeBytes(): Promise<number> {
  await collectGarbage();
  return largeBytesNow();
}

/** Also of garbage that was not collected yet. */
function largeBytesNow(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name.endsWith('large_object_space'));
  return process.memoryUsage().arrayBuffers + spaces.reduce((sum, { space_used_size: used }) => sum + used, 0);
}

/** By how much `largeBytesNow` was above its first value at most, while this ran. */
export async function peakOf<T>(run: () => Promise<T>): Promise<{ result: T; peak: number }> {
  const before = await largeBytes();
  let most = before;
  const look = () => void (most = Math.max(most, largeBytesNow()));
  const timer = setInterval(look, 1);
  try {
    const result = await run();
    look();
    return { result, peak: most - before };
  } finally {
    clearInterval(timer);
  }
}
