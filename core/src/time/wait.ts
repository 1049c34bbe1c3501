/** Waiting: for a promise, a signal, a deadline or a condition. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, type Clock } from './clock.js';

/** The promise's outcome, or the signal's reason if that comes first; later outcomes are ignored. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
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

/**
 * Waits until the promise has settled, at most `ms` milliseconds.
 * @returns whether it settled in time; never rejects
 */
export async function settledWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Clock = systemClock,
): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<boolean>(resolve => (cancel = clock.after(ms, () => resolve(false))));
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      late,
    ]);
  } finally {
    cancel();
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

/** Never resolves; rejects with the signal's reason. */
export function forever(signal: AbortSignal): Promise<never> {
  return unlessAborted(new Promise<never>(() => {}), signal);
}

export interface EitherSignal {
  /** Aborted with the first of the two, with its reason. */
  readonly signal: AbortSignal;
  /** Call it when the work is over: from then on the signal follows neither. */
  release(): void;
}

/**
 * Both signals as one, for work that ends before `lasting` does, such as the end of a driver. For each call of
 * `AbortSignal.any`, Node 20 leaves an entry in a lasting signal for good.
 */
export function eitherSignal(signal: AbortSignal, lasting: AbortSignal): EitherSignal {
  const both = new AbortController();
  const abort = (): void => {
    both.abort(signal.aborted ? signal.reason : lasting.reason);
    release();
  };
  const release = (): void => {
    for (const each of [signal, lasting]) each.removeEventListener('abort', abort);
  };
  if (signal.aborted || lasting.aborted) abort();
  else for (const each of [signal, lasting]) each.addEventListener('abort', abort, { once: true });
  return { signal: both.signal, release };
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** A promise that is settled from outside. */
export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
