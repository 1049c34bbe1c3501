/** Work that goes on while its page is allowed: it is stopped when the grant is revoked, also by another process, or lapses. */
import type { Clock } from '@platen/core';
import type { Caller } from './consent.js';
import type { Right } from './grant.js';

export interface Hold {
  readonly caller: Caller;
  readonly right: Right;
  readonly scanner?: string | undefined;
  /** For work without a moment that releases it. */
  isOver?(): boolean;
  /** Called once, if the page is no longer allowed. */
  stop(): void;
}

export interface Holds {
  /** @returns call it when the work is over */
  hold(hold: Hold): () => void;
  /** Stops what is no longer allowed; also done each second while there is work. */
  check(): void;
  close(): void;
}

const LOOK_MS = 1000;

export function createHolds(clock: Clock, allows: (caller: Caller, right: Right, scanner?: string) => boolean): Holds {
  const all = new Set<Hold>();
  let cancel: (() => void) | undefined;

  const check = (): void => {
    for (const each of all) {
      const isOver = each.isOver?.() === true;
      if (!isOver && allows(each.caller, each.right, each.scanner)) continue;
      all.delete(each);
      if (!isOver) each.stop();
    }
    if (all.size === 0) rest();
  };
  const rest = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const look = (): void => {
    cancel = clock.after(LOOK_MS, () => {
      cancel = undefined;
      check();
      if (all.size > 0) look();
    });
  };

  return {
    hold(hold) {
      all.add(hold);
      if (!cancel) look();
      return () => {
        all.delete(hold);
        if (all.size === 0) rest();
      };
    },
    check,
    close() {
      all.clear();
      rest();
    },
  };
}
