/** How long pages wait after their scan ended. The system clock may be wrong, or be set, at any time. */

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
