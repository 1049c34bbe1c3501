/** Source files that broke down when TWAIN's manager asked them for their names: skipped, for longer each time. */
import { messageOf, type Log } from '@platen/core/plugin';
import type { Bits } from './settings.js';

/** What one manager skips while it looks for sources, and what is reported of the files that it loads. */
export interface LoadGuard {
  /** Windows paths of the files to skip. */
  readonly skip: readonly string[];
  /** The manager's process ended, or hung, in this file. @returns whether to try again without it */
  add(file: string, why: unknown): boolean;
  /** The manager asked all of these and still works. */
  release(files: Iterable<string>): void;
}

export interface Quarantine {
  /** @param ended after this the manager's process is ended by the driver itself, which is no file's fault */
  guard(bits: Bits, ended: AbortSignal): LoadGuard;
  /** The files may have changed: none is skipped any more. */
  clear(): void;
}

const FIRST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSE_MS = 24 * 60 * 60_000;
const REMEDY = 'Update the driver that this file belongs to, or remove it.';

interface Entry {
  readonly bits: Bits;
  /** As `performance.now` counts. */
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
      const listed = `${bits}-bit sources are listed as they were known last`;
      const breaks = `The TWAIN source ${file} breaks down when it is asked for its name`;
      if (!before.cannotSkip) log.warn(`${breaks}, and cannot be skipped: ${listed}. ${REMEDY}`);
      before.cannotSkip = true;
      return false;
    }
    const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_PAUSE_MS) : FIRST_PAUSE_MS;
    entries.set(file, { bits, until: performance.now() + pauseMs, pauseMs, cannotSkip: false });
    const broke = `The TWAIN source ${file} broke down when it was asked for its name (${messageOf(why)})`;
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
