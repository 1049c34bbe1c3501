/** Work that goes on while its page is allowed: it is stopped when the grant is revoked, also by another process, or lapses. */
import type { Clock } from '@platen/core';
import type { Right } from './grant.js';

/** Who calls, as far as a request tells. */
export interface Caller {
  /** Of the page, in lower case; empty for a program. */
  readonly origin: string;
  /** Whether it is one of this service's own pages. */
  readonly isOwn: boolean;
  /** What it sent as its proof. */
  readonly secret?: string | undefined;
}

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
  /** Stops it at once if its page is not allowed any more. @returns call it when the work is over */
  hold(hold: Hold): () => void;
  /** Stops what is no longer allowed; also done each second while there is work. */
  check(): void;
  close(): void;
}

const LOOK_MS = 1000;

export function createHolds(clock: Clock, allows: (caller: Caller, right: Right, scanner?: string) => boolean): Holds {
  const all = new Set<Hold>();
  let cancel: (() => void) | undefined;

  /** Stops it otherwise, unless it is over. */
  const goesOn = (hold: Hold): boolean => {
    if (hold.isOver?.() === true) return false;
    if (allows(hold.caller, hold.right, hold.scanner)) return true;
    all.delete(hold);
    hold.stop();
    return false;
  };
  const check = (): void => {
    for (const each of all) if (!goesOn(each)) all.delete(each);
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
      if (!goesOn(hold)) return () => undefined;
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
