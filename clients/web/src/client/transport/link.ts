/** A connection to the service that may be lost: calls are repeated until it is back. */
import { cancelled, PlatenError } from '../errors.js';

import { pause } from './waiting.js';

/** Pauses before each retry of a lost connection; after the last one, it fails. */
const RETRY_MS = [0, 250, 500, 1000, 2000, 4000, 8000, 8000];
/** A connection that lasted this long resets the retries. */
const LASTING_MS = 5000;
/** The service sends a comment every 15 s: a stream without one for this long is dead. */
export const DEAD_MS = 45_000;

export interface LinkOptions {
  /** Called with `false` when the first retry of a lost connection fails, with `true` when it is back. */
  readonly onConnection?: ((connected: boolean) => void) | undefined;
  /** Pauses in milliseconds before each retry; default: about 24 s. */
  readonly retries?: readonly number[];
  /** Repeats the last pause, and never fails because of a lost connection. */
  readonly isPatient?: boolean;
}

/** For one call or stream at a time. */
export interface Link {
  /**
   * Repeats the attempt while it returns `lost` or fails with `no-answer`.
   * @param signal ends a pause; the attempt must watch it, too
   * @throws what the attempt throws; `no-answer` after the last retry
   */
  hold<T>(attempt: () => Promise<T | 'lost'>, signal?: AbortSignal): Promise<T>;
  /** An answer has begun. */
  up(): void;
  /** Something arrived: the next loss has all retries again. */
  advanced(): void;
}

export function createLink({ onConnection, retries = RETRY_MS, isPatient = false }: LinkOptions = {}): Link {
  let isUp = true;
  let told = true;
  let lost = 0;
  const tell = (connected: boolean): void => {
    if (connected !== told) onConnection?.(connected);
    told = connected;
  };
  return {
    up() {
      isUp = true;
      tell(true);
    },
    advanced: () => void (lost = 0),
    async hold<T>(attempt: () => Promise<T | 'lost'>, signal?: AbortSignal) {
      for (lost = 0; ;) {
        const began = performance.now();
        let cause: unknown;
        try {
          const outcome = await attempt();
          if (outcome !== 'lost') return outcome;
        } catch (error) {
          if (error instanceof PlatenError && error.code !== 'no-answer') throw error;
          if (signal?.aborted) throw cancelled(signal);
          cause = error;
        }
        if (!isUp) tell(false);
        // One that only waited for an answer did not last.
        else if (performance.now() - began > LASTING_MS) lost = 0;
        isUp = false;
        const wait = retries[lost++] ?? (isPatient ? retries.at(-1) : undefined);
        if (wait === undefined) throw cause instanceof PlatenError ? cause : goneFor(cause);
        await pause(wait, signal);
      }
    },
  };
}

const goneFor = (cause: unknown): PlatenError =>
  new PlatenError('no-answer', 'The connection to the scanning service was lost and could not be restored.', { cause });
