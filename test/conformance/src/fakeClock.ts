/** A clock that moves only by `advance`. */
import type { Clock } from '@platen/core/driver';

export interface FakeClock extends Clock {
  /** Moves on and calls back whatever falls due, in order; lets promises settle between two calls. */
  advance(ms: number): Promise<void>;
  /** Sets what people read, as a computer's clock is corrected; spans of time go on. */
  set(now: number): void;
}

export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = 0;
  let epoch = start;
  const waiting = new Set<{ due: number; callback: () => void }>();
  const settle = () => new Promise<void>(resolve => setImmediate(resolve));
  return {
    now: () => epoch + now,
    monotonic: () => now,
    set: to => void (epoch = to - now),
    after(ms, callback) {
      const entry = { due: now + ms, callback };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = [...waiting].filter(entry => entry.due <= end).sort((a, b) => a.due - b.due)[0];
        if (!next) break;
        now = next.due;
        waiting.delete(next);
        next.callback();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
