/**
 * Ends a scan early: first `stop`, which lets the sheet in the path come out, then `signal`, which abandons it.
 *
 *   running ──begin──▶ stopping ──grace──▶ abandoned ──LISTEN_MS──▶ unresponsive
 *      └──────────────────abandon────────────▲
 *
 * A driver that ignores `signal` too is unresponsive: its session is closed. Both times run only while the device is
 * awaited, so that slow recognition or encoding never costs the sheet in the path, nor makes a driver count as
 * unresponsive.
 */
import { ScanError } from '../contract/errors.js';
import type { Clock } from './clock.js';

/** Milliseconds for an abandoned driver to react before it counts as unresponsive. */
const LISTEN_MS = 2000;

export interface Cancellation {
  readonly stop: AbortSignal;
  readonly signal: AbortSignal;
  /** Why the scan was asked to end; undefined if it was not. */
  readonly reason: ScanError | undefined;
  readonly unresponsive: boolean;
  /** Call when paper may move: from then on, an end waits for the sheet in the path. */
  feeding(): void;
  /** Asks for the end; before paper moves, abandons at once. The first reason stays. */
  begin(reason: ScanError, graceMs: number): void;
  abandon(reason: ScanError): void;
  /** Awaits a promise of the driver, at most `ms` and only until the driver is unresponsive. */
  guard<T>(pending: Promise<T>, ms: number): Promise<T>;
  /** The scan is over: later calls have no effect. */
  done(): void;
}

export function createCancellation(clock: Clock): Cancellation {
  const stop = new AbortController();
  const abandoned = new AbortController();
  let reason: ScanError | undefined;
  let paperMoves = false;
  let unresponsive = false;
  let over = false;
  /** The rest of the grace time. */
  let grace = 0;
  const nobodyWaits = (): void => undefined;
  /** Starts the timer that runs while the device is awaited. */
  let runTime = nobodyWaits;

  const abandon = (why: ScanError): void => {
    reason ??= why;
    if (over || abandoned.signal.aborted) return;
    stop.abort(reason);
    abandoned.abort(reason);
    runTime();
  };

  return {
    stop: stop.signal,
    signal: abandoned.signal,
    get reason() {
      return reason;
    },
    get unresponsive() {
      return unresponsive;
    },
    feeding: () => void (paperMoves = true),
    begin(why, graceMs) {
      if (over || reason) return;
      reason = why;
      if (!paperMoves) return abandon(why);
      grace = graceMs;
      stop.abort(why);
      runTime();
    },
    abandon,
    async guard(pending, ms) {
      const timers = [
        clock.after(ms, () => abandon(new ScanError('timeout', `The scanner delivered nothing for ${ms / 1000} s.`))),
      ];
      let stoppingSince: number | undefined;
      const unresponsiveness = new Promise<never>((_, giveUp) => {
        runTime = () => {
          if (abandoned.signal.aborted) {
            timers.push(
              clock.after(LISTEN_MS, () => {
                unresponsive = true;
                giveUp(abandoned.signal.reason);
              }),
            );
          } else if (reason) {
            const why = reason;
            stoppingSince = clock.monotonic();
            timers.push(clock.after(grace, () => abandon(why)));
          }
        };
      });
      runTime();
      try {
        return await Promise.race([pending, unresponsiveness]);
      } finally {
        runTime = nobodyWaits;
        for (const cancel of timers) cancel();
        if (stoppingSince !== undefined) grace = Math.max(0, grace - (clock.monotonic() - stoppingSince));
      }
    },
    done: () => void (over = true),
  };
}
