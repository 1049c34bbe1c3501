/**
 * How a scan ends early: first `stop`, which lets the sheet in the path come out, then `signal`, which abandons it.
 *
 *   running ──begin──▶ stopping ──grace──▶ abandoned ──LISTEN_MS──▶ deaf
 *      └──────────────────abandon────────────▲
 *
 * A driver is deaf when it does not react to `signal` either: its session is given up.
 */
import type { Clock } from '../clock.js';
import { ScanError } from '../contract/errors.js';

/** How long an abandoned driver has to say so before it counts as deaf. */
const LISTEN_MS = 2000;

export interface Ending {
  readonly stop: AbortSignal;
  readonly signal: AbortSignal;
  /** Why the scan was asked to end; undefined while it was not. */
  readonly reason: ScanError | undefined;
  readonly deaf: boolean;
  /** From here on paper moves, and an end has to wait for the sheet in the path. */
  feeding(): void;
  /** Asks for the end; abandons at once while no paper moves. The first reason stays. */
  begin(reason: ScanError, graceMs: number): void;
  abandon(reason: ScanError): void;
  /** What the driver promised, waited for no longer than `ms` and than the driver's deafness. */
  guard<T>(pending: Promise<T>, ms: number): Promise<T>;
  /** The scan is over: no timer is left, and nothing that is asked for later starts one. */
  done(): void;
}

export function createEnding(clock: Clock): Ending {
  const stop = new AbortController();
  const abandoned = new AbortController();
  const timers = new Set<() => void>();
  let reason: ScanError | undefined;
  let paperMoves = false;
  let deaf = false;
  let over = false;
  let giveUp: (error: ScanError) => void = () => undefined;
  const deafness = new Promise<never>((_, reject) => (giveUp = reject));
  deafness.catch(() => undefined);

  const after = (ms: number, callback: () => void): void => void timers.add(clock.after(ms, callback));

  const abandon = (why: ScanError): void => {
    reason ??= why;
    if (over || abandoned.signal.aborted) return;
    stop.abort(reason);
    abandoned.abort(reason);
    after(LISTEN_MS, () => {
      deaf = true;
      giveUp(reason ?? why);
    });
  };

  return {
    stop: stop.signal,
    signal: abandoned.signal,
    get reason() {
      return reason;
    },
    get deaf() {
      return deaf;
    },
    feeding: () => void (paperMoves = true),
    begin(why, graceMs) {
      if (over || reason) return;
      reason = why;
      if (!paperMoves) return abandon(why);
      stop.abort(why);
      after(graceMs, () => abandon(why));
    },
    abandon,
    async guard(pending, ms) {
      const seconds = ms / 1000;
      const cancel = clock.after(ms, () => abandon(new ScanError('timeout', `The scanner delivered nothing for ${seconds} s.`)));
      try {
        return await Promise.race([pending, deafness]);
      } finally {
        cancel();
      }
    },
    done() {
      over = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
