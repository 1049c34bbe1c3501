/** Detects a process that hangs: its event loop must answer pings. */
import type { Clock } from '@platen/core';

/** From one answer to the next ping. */
const PAUSE_MS = 5000;
const BEAT_MS = 1000;
/**
 * A process that answers no ping for this many beats hangs. Counts beats, not time: a computer that slept misses only
 * one.
 */
export const HANG_BEATS = 15;

export interface HeartbeatOptions {
  /** Resolves with the answer. Rejects if the process is gone, which its supervisor knows anyway. */
  ping(signal: AbortSignal): Promise<void>;
  onHang(): void;
  readonly clock: Clock;
}

/** @returns stops the heartbeat */
export function startHeartbeat({ ping, onHang, clock }: HeartbeatOptions): () => void {
  const ending = new AbortController();
  let cancel = clock.after(PAUSE_MS, ask);

  function ask(): void {
    let beats = 0;
    const beat = (): void => {
      if (++beats === HANG_BEATS) onHang();
      else cancel = clock.after(BEAT_MS, beat);
    };
    cancel = clock.after(BEAT_MS, beat);
    ping(ending.signal).then(
      () => {
        cancel();
        if (!ending.signal.aborted && beats < HANG_BEATS) cancel = clock.after(PAUSE_MS, ask);
      },
      () => cancel(),
    );
  }

  return () => {
    cancel();
    ending.abort();
  };
}
