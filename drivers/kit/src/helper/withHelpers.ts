/** Helpers for the length of some work, such as a listing. */
import type { Helper } from './helperTypes.js';

/**
 * What `work` yields. The helpers are closed at its end and when the signal aborts: in order, so that an open device is
 * closed before its process goes.
 * @throws the signal's reason; else what `work` throws
 */
export async function* withHelpers<T>(
  helpers: readonly Helper[],
  signal: AbortSignal,
  work: () => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  signal.throwIfAborted();
  const close = () => Promise.all(helpers.map(helper => helper.close()));
  const abandon = () => void close();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    yield* work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
    await close();
  }
}
