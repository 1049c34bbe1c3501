/** Finds out that a process hangs: it is asked now and then, and its event loop has to answer. */
import type { Clock } from '@platen/core';

/** From one answer to the next question. */
const PAUSE_MS = 5000;
const BEAT_MS = 1000;
/** So many beats without an answer are a hang. Beats are counted, and not time: a computer that slept has missed one. */
export const HANG_BEATS = 15;

export interface HeartbeatOptions {
  /** Resolves when there is an answer. What it rejects with is somebody else's affair: the process is gone. */
  ping(signal: AbortSignal): Promise<void>;
  onHang(): void;
  readonly clock: Clock;
}

/** @returns what ends it */
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
