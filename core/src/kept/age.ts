/** How long pages wait after their scan ended. The system clock may be wrong, or be set, at any time. */
import type { Clock } from '../time/clock.js';

export interface Ended {
  /** Milliseconds since 1970; undefined if the service ended before it could write it. */
  readonly endedAt?: number | undefined;
  /** Whether they were too old at a start of the service, and wait once more. */
  readonly isLate?: true | undefined;
}

export interface Left {
  /** Milliseconds that the pages still wait. */
  readonly left: number;
  /** Facts to store, so that the next start of the service counts on from here. */
  readonly changed?: Ended;
}

/**
 * While the service runs, a timer counts, which no clock changes. Between two runs there is only the system clock: an end
 * in the future restarts the wait, and so does, once, an end so long ago that nothing would be left. The clock may have
 * been wrong, and the client could not ask while the service was off.
 * @param keepMs milliseconds that pages wait
 * @param now milliseconds since 1970
 */
export function leftOf({ endedAt, isLate }: Ended, keepMs: number, now: number): Left {
  if (endedAt === undefined || endedAt > now) return { left: keepMs, changed: { endedAt: now } };
  const left = endedAt + keepMs - now;
  if (left > 0) return { left };
  return isLate ? { left: 0 } : { left: keepMs, changed: { endedAt: now, isLate: true } };
}

/** Whether it is milliseconds since 1970, in the range of dates. */
export const isDate = (value: unknown): value is number =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());

/** Timers by the id of a scan. No clock that people set changes them. */
export interface Ages {
  /** Replaces the timer of this id. */
  start(id: string, ms: number, expire: () => void): void;
  /** @returns milliseconds that were left; 0 without a timer */
  stop(id: string): number;
  /** Stops all timers; none starts from now on. */
  close(): void;
}

export function createAges(clock: Clock): Ages {
  const ages = new Map<string, { readonly due: number; cancel(): void }>();
  let closed = false;
  const stop = (id: string): number => {
    const age = ages.get(id);
    ages.delete(id);
    age?.cancel();
    return Math.max(0, (age?.due ?? 0) - clock.monotonic());
  };
  return {
    start(id, ms, expire) {
      stop(id);
      if (!closed) ages.set(id, { due: clock.monotonic() + ms, cancel: clock.after(ms, expire) });
    },
    stop,
    close() {
      closed = true;
      for (const { cancel } of ages.values()) cancel();
    },
  };
}
