/** Who waits for discoveries: for their end, or until enough is found. */
import type { Clock } from '../time/clock.js';
import type { Listing } from './listing.js';

export interface Wait {
  /** Milliseconds. Absent: no limit. */
  readonly ms?: number;
  /** A discovery that ended so many milliseconds ago counts. Absent: the listing's own. */
  readonly freshMs?: number;
  enough(): boolean;
  /** Also for drivers that are slow. */
  readonly patient?: boolean;
}

export interface DiscoveryWaits {
  /** Waits for discoveries to end, for `enough`, or for the time limit; for slow drivers only if `patient`. */
  waitFor(asked: readonly Listing[], wait: Wait): Promise<void>;
  /** Call it when a discovery has found something, or has ended. */
  wake(): void;
}

export function createDiscoveryWaits(clock: Clock): DiscoveryWaits {
  const waiting = new Set<() => void>();
  return {
    async waitFor(asked, { ms, freshMs, enough, patient = false }) {
      const looking = new Set(asked);
      let settle = (): void => undefined;
      const settled = new Promise<void>(resolve => (settle = resolve));
      const wake = (): void => {
        if (enough() || [...looking].every(each => each.slow && !patient)) settle();
      };
      const cancel = ms === undefined ? () => undefined : clock.after(ms, settle);
      waiting.add(wake);
      for (const each of asked) void each.look(freshMs).then(() => (looking.delete(each), wake()));
      wake();
      await settled;
      waiting.delete(wake);
      cancel();
    },
    wake() {
      for (const wake of [...waiting]) wake();
    },
  };
}
