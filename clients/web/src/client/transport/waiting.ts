/** Waiting: for a time, for a promise with a time limit, for a call that is aborted at a time limit. */

/** Resolves after that time, or when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let end = (): void => undefined;
  const ended = new Promise<void>(resolve => (end = resolve));
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  await ended;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
}

/** The promise's value; undefined if it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>(resolve => (timer = setTimeout(resolve, ms, undefined)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Makes a call with a signal that is aborted after `ms`, or by the caller's signal.
 * Not `AbortSignal.any([AbortSignal.timeout(ms), …])`: Node 20 may garbage-collect the timeout,
 * and then the call is never aborted.
 */
export async function limited<T>(
  ms: number,
  signal: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const abort = (): void => either.abort(signal?.reason);
  const timer = setTimeout(() => either.abort(new DOMException(`No answer in ${ms} ms.`, 'TimeoutError')), ms);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    return await call(either.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
