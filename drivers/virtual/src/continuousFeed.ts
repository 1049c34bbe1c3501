/** Continuous feeding: sheets are scanned before their pages are pulled, and the pages wait in the scanner's memory. */
import { createNotifier } from '@platen/core/driver';
import type { RawPage } from '@platen/core/plugin';

/**
 * @param sheets how many sheets are fed beyond the one that was pulled
 * @param sides of a sheet
 * @param ended discards the pages that wait
 */
export async function* feedAhead(
  pages: AsyncGenerator<RawPage, void, undefined>,
  sheets: number,
  sides: 1 | 2,
  ended: AbortSignal,
): AsyncGenerator<RawPage, void, undefined> {
  const waiting: RawPage[] = [];
  let pulled = 1;
  let fed = 0;
  let outcome: { error?: unknown } | undefined;
  const change = createNotifier();

  const pump = async () => {
    try {
      for (;;) {
        while (Math.floor(fed / sides) + 1 > pulled + sheets && !ended.aborted) await change.wait();
        const next = await pages.next();
        if (next.done) break;
        waiting.push(next.value);
        fed++;
        change.notify();
      }
      outcome = {};
    } catch (error) {
      outcome = { error };
    }
    change.notify();
  };
  const pumping = pump();

  ended.addEventListener('abort', change.notify);
  try {
    for (let given = 0; ; given++) {
      pulled = Math.floor(given / sides) + 1;
      change.notify();
      while (!waiting.length && !outcome && !ended.aborted) await change.wait();
      ended.throwIfAborted();
      const page = waiting.shift();
      if (page) yield page;
      else if (outcome && 'error' in outcome) throw outcome.error;
      else return;
    }
  } finally {
    ended.removeEventListener('abort', change.notify);
    if (ended.aborted) await pumping;
  }
}
