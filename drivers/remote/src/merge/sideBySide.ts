/** Several iterators as one: each is pulled as soon as its last value was taken, and leaving ends them all. */
import { ScanError, unlessAborted } from '@platen/core/plugin';

/**
 * @param begins called at the first pull; each gets a signal that is aborted with `signal`, and when pulling ends
 * @throws the signal's reason at once; else the first failure
 */
export async function* sideBySide<T>(
  begins: readonly ((ended: AbortSignal) => AsyncIterable<T>)[],
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const iterators = begins.map(begin => begin(ending.signal)[Symbol.asyncIterator]());
  const pulls = new Map(iterators.map(iterator => [iterator, pull(iterator)]));
  try {
    while (pulls.size > 0) {
      const { iterator, result } = await unlessAborted(Promise.race(pulls.values()), signal);
      if (result.done) {
        pulls.delete(iterator);
        continue;
      }
      pulls.set(iterator, pull(iterator));
      yield result.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    ending.abort(signal.aborted ? signal.reason : new ScanError('cancelled', 'The caller stopped waiting.'));
    // Pending pulls are not awaited.
    for (const [iterator, pulled] of pulls) {
      pulled.catch(() => undefined);
      void iterator.return?.()?.catch(() => undefined);
    }
  }
}

async function pull<T>(
  iterator: AsyncIterator<T>,
): Promise<{ readonly iterator: AsyncIterator<T>; readonly result: IteratorResult<T> }> {
  return { iterator, result: await iterator.next() };
}
