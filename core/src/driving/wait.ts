/** Waiting that an abort ends. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The promise's outcome, or the signal's reason if that comes first; what comes later is let go of. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    promise.catch(() => {});
  }
}

/** @throws the signal's reason */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  await sleep(ms, undefined, { signal }).catch(error => {
    throw signal.aborted ? signal.reason : error;
  });
}

/** Never comes back, except with the signal's reason. */
export function forever(signal: AbortSignal): Promise<never> {
  return unlessAborted(new Promise<never>(() => {}), signal);
}
