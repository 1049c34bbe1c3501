/** A running scan of a case: every pull has a deadline. */
import assert from 'node:assert/strict';
import { type Page, ScanError, type ScanOrder, type Session } from '@platen/core/plugin';
import type { Within } from './deadline.js';

/** Already aborted ones, for a scan that ends before it begins. */
export interface ScanSignals {
  readonly stop?: AbortSignal;
  readonly signal?: AbortSignal;
}

export interface Scan {
  /** The next page; undefined when the scan has ended. */
  pull(): Promise<Page | undefined>;
  /** All that is still to come. */
  rest(): Promise<Page[]>;
  stop(): void;
  /** Aborts the signal. @returns the reason that the scan must throw */
  abandon(code?: 'cancelled' | 'timeout'): ScanError;
  return(): Promise<void>;
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export function startScan(session: Session, order: ScanOrder, within: Within, signals: ScanSignals = {}): Scan {
  const stop = new AbortController();
  const abandon = new AbortController();
  const call = {
    stop: signals.stop ?? stop.signal,
    signal: signals.signal ?? abandon.signal,
  };
  let iterator: AsyncIterator<Page> | undefined;
  let count = 0;
  const begun = () => (iterator ??= session.scan(order, call)[Symbol.asyncIterator]());
  const scan: Scan = {
    pull() {
      const next = (async () => {
        const result = await within(begun().next(), `page ${count + 1} of the scan`);
        if (result.done) return undefined;
        count++;
        return result.value;
      })();
      // A case may look at a pull only after something else; until then its failure is not unhandled.
      next.catch(() => {});
      return next;
    },
    async rest() {
      const pages: Page[] = [];
      for (let page = await scan.pull(); page; page = await scan.pull()) {
        pages.push(page);
        assert.ok(pages.length < 1000, 'the scan does not end: 1000 pages came');
      }
      return pages;
    },
    stop: () => stop.abort(),
    abandon(code = 'cancelled') {
      const reason = new ScanError(code, `the suite abandons the scan: ${code}`);
      abandon.abort(reason);
      return reason;
    },
    async return() {
      await within(Promise.resolve(begun().return?.()), 'return() of the iterator');
    },
  };
  return scan;
}
