/** Parts of vendors' software that crash or hang when scanners are looked for: skipped, for longer each time. */
import { messageOf, type Log } from '@platen/core/plugin';

export interface QuarantineParts {
  readonly log: Log;
  /** The part in a sentence: `The TWAIN source C:\…\acme.ds`. */
  called(id: string): string;
  /** `when it was asked its name`. */
  readonly when: string;
  /** What it means that a part breaks although it is to be skipped: `64-bit sources are listed from the last listing`. */
  readonly unskipped: string;
  readonly remedy: string;
}

export interface Quarantine {
  /** The parts to skip now. */
  readonly skip: readonly string[];
  /** The search ended, or hung, in this part. @returns whether to try again without it */
  add(id: string, why: unknown): boolean;
  /** All these parts were asked and still work. */
  release(ids: Iterable<string>): void;
  /** The parts, or what they ask, may have changed: stops skipping them. */
  clear(): void;
}

const FIRST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSE_MS = 24 * 60 * 60_000;

interface Entry {
  /** In `performance.now` ms. */
  readonly until: number;
  readonly pauseMs: number;
  /** It was used although it should have been skipped. */
  cannotSkip: boolean;
}

export function createQuarantine({ log, called, when, unskipped, remedy }: QuarantineParts): Quarantine {
  const entries = new Map<string, Entry>();

  return {
    get skip() {
      const now = performance.now();
      return [...entries].filter(([, each]) => each.until > now).map(([id]) => id);
    },
    add(id, why) {
      const before = entries.get(id);
      if (before && before.until > performance.now()) {
        if (!before.cannotSkip)
          log.warn(`${called(id)} crashed or hung ${when}, and cannot be skipped: ${unskipped}. ${remedy}`);
        before.cannotSkip = true;
        return false;
      }
      const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_PAUSE_MS) : FIRST_PAUSE_MS;
      entries.set(id, { until: performance.now() + pauseMs, pauseMs, cannotSkip: false });
      const minutes = Math.round(pauseMs / 60_000);
      log.warn(
        `${called(id)} crashed or hung ${when} (${messageOf(why)}). It is skipped for ${minutes} minutes. ${remedy}`,
      );
      return true;
    },
    release(ids) {
      for (const id of ids) entries.delete(id);
    },
    clear: () => entries.clear(),
  };
}
