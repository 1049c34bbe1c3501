/** Source files that crashed or hung when TWAIN's manager asked for their names: skipped, for longer each time. */
import { messageOf, type Log } from '@platen/core/plugin';
import type { Bits } from './settings.js';

/** The files that one manager skips while it finds sources, and the reports about the files that it loads. */
export interface LoadGuard {
  /** Windows paths of the files to skip. */
  readonly skip: readonly string[];
  /** The manager's process ended, or hung, in this file. @returns whether to try again without it */
  add(file: string, why: unknown): boolean;
  /** The manager asked all these files and still works. */
  release(files: Iterable<string>): void;
}

export interface Quarantine {
  /** @param ended after this the driver itself ends the manager's process, which is not a file's fault */
  guard(bits: Bits, ended: AbortSignal): LoadGuard;
  /** The files may have changed: stops skipping them. */
  clear(): void;
}

const FIRST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSE_MS = 24 * 60 * 60_000;
const REMEDY = 'Update the driver that this file belongs to, or remove it.';

interface Entry {
  readonly bits: Bits;
  /** In `performance.now` ms. */
  readonly until: number;
  readonly pauseMs: number;
  /** It was loaded although it should have been skipped. */
  cannotSkip: boolean;
}

export function createQuarantine(log: Log): Quarantine {
  const entries = new Map<string, Entry>();

  function add(bits: Bits, file: string, why: unknown): boolean {
    const before = entries.get(file);
    if (before && before.until > performance.now()) {
      const listed = `${bits}-bit sources are listed from the last listing`;
      const breaks = `The TWAIN source ${file} crashes or hangs when it is asked its name`;
      if (!before.cannotSkip) log.warn(`${breaks}, and cannot be skipped: ${listed}. ${REMEDY}`);
      before.cannotSkip = true;
      return false;
    }
    const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_PAUSE_MS) : FIRST_PAUSE_MS;
    entries.set(file, { bits, until: performance.now() + pauseMs, pauseMs, cannotSkip: false });
    const broke = `The TWAIN source ${file} crashed or hung when it was asked its name (${messageOf(why)})`;
    log.warn(`${broke}. It is skipped for ${Math.round(pauseMs / 60_000)} minutes. ${REMEDY}`);
    return true;
  }

  return {
    guard: (bits, ended) => ({
      get skip() {
        const now = performance.now();
        return [...entries].filter(([, each]) => each.bits === bits && each.until > now).map(([file]) => file);
      },
      add: (file, why) => !ended.aborted && add(bits, file, why),
      release(files) {
        for (const file of files) entries.delete(file);
      },
    }),
    clear: () => entries.clear(),
  };
}
