/** The serving half of one iterator, of devices or of pages: takes what the other end pulls, and not one item more. */
import type { ScanCall } from '@platen/core/plugin';

export interface ServerStreamParts<T> {
  /** Called at the first pull. */
  begin(call: ScanCall): AsyncIterable<T>;
  /** Resolves when the value was sent, or cut short. */
  deliver(value: T, cut: AbortSignal): Promise<void>;
  /** Called once; `error` if it failed. */
  over(outcome: { readonly error?: unknown }): void;
}

export interface ServerStream {
  /** One more item may be taken. */
  pull(): void;
  stop(): void;
  abort(reason: Error): void;
  /** `return()` of the iterator. */
  leave(): void;
  /** Ends at once, whatever the driver is doing. */
  cut(error: Error): void;
}

export function serveStream<T>({ begin, deliver, over }: ServerStreamParts<T>): ServerStream {
  const abandon = new AbortController();
  const stop = new AbortController();
  const cutting = new AbortController();
  let iterator: AsyncIterator<T> | undefined;
  let credits = 0;
  let working = false;
  let left = false;
  let leaving: Promise<unknown> | undefined;
  let isOver = false;

  const finish = (outcome: { readonly error?: unknown }): void => {
    if (isOver) return;
    isOver = true;
    over(outcome);
  };
  const leaveIterator = (): Promise<unknown> => (leaving ??= (async () => iterator?.return?.())());

  async function work(): Promise<void> {
    if (working || isOver) return;
    working = true;
    try {
      while (credits > 0 && !left) {
        credits--;
        iterator ??= begin({ signal: abandon.signal, stop: stop.signal })[Symbol.asyncIterator]();
        const next = await iterator.next();
        if (next.done) return finish(outcomeOf(abandon.signal));
        // After an abort the other end waits for the last message, not for a page.
        if (!abandon.signal.aborted) await deliver(next.value, cutting.signal);
      }
      if (!left) return;
      await leaveIterator();
      finish(outcomeOf(abandon.signal));
    } catch (error) {
      await leaveIterator().catch(() => undefined);
      finish({ error });
    } finally {
      working = false;
    }
  }

  return {
    pull() {
      credits++;
      void work();
    },
    stop: () => stop.abort(),
    abort(reason) {
      abandon.abort(reason);
      cutting.abort();
      left = true;
      void work();
    },
    leave() {
      left = true;
      // This ends a pull that hangs, where the driver can; else the pull comes first.
      if (iterator) leaveIterator().catch(() => undefined);
      void work();
    },
    cut(error) {
      finish({ error });
      abandon.abort(error);
      cutting.abort();
      left = true;
      leaveIterator().catch(() => undefined);
    },
  };
}

function outcomeOf(abandon: AbortSignal): { readonly error?: unknown } {
  return abandon.aborted ? { error: abandon.reason as unknown } : {};
}
