/** Detects a process that hangs: its event loop has to answer a ping now and then. */
import type { Clock } from '@platen/core';

/** From one answer to the next question. */
const PAUSE_MS = 5000;
const BEAT_MS = 1000;
/** A process that does not answer for so many beats hangs. Beats are counted instead of time: a computer that slept missed one only. */
export const HANG_BEATS = 15;

export interface HeartbeatOptions {
  /** Resolves when there is an answer. Where it rejects, the process is gone: its supervisor knows that. */
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
