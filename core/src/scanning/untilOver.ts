/** The pages of a run, with a word when they are over. */
import type { FinishedPage } from '../pipeline/finish.js';

/** However they end: a generator that is left before its first page runs no `finally`. */
export function untilOver(pages: AsyncGenerator<FinishedPage, void>, over: () => void): AsyncGenerator<FinishedPage, void> {
  let begun = false;
  const watched = (async function* () {
    try {
      yield* pages;
    } finally {
      over();
    }
  })();
  const unlessBegun = (): void => void (begun || over());
  const next = watched.next.bind(watched);
  const leave = watched.return.bind(watched);
  const fail = watched.throw.bind(watched);
  return Object.assign(watched, {
    next: () => ((begun = true), next()),
    return: (value: void | PromiseLike<void>) => (unlessBegun(), leave(value)),
    throw: (error: unknown) => (unlessBegun(), fail(error)),
  });
}
