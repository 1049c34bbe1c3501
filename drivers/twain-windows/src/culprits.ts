/** Source files that broke down when TWAIN's manager asked them for their names: they are left out, for longer each time. */
import { messageOf, type Log } from '@platen/core/plugin';
import type { Bits } from './settings.js';

/** What a manager is to leave alone while it looks for sources, and who is told what it broke on. */
export interface Loading {
  /** Paths of Windows. */
  readonly skip: readonly string[];
  /** The manager's process ended, or hung, at this file. @returns whether to try again without it */
  blame(file: string, why: unknown): boolean;
  /** The manager came through all of these. */
  pardon(files: Iterable<string>): void;
}

export interface Culprits {
  /** @param ended whoever looks has given up: what breaks then was broken from outside */
  of(bits: Bits, ended: AbortSignal): Loading;
  /** Other files may be there now: none is left out. */
  forget(): void;
}

const FIRST_PAUSE_MS = 10 * 60_000;
const MOST_PAUSE_MS = 24 * 60 * 60_000;

interface Record {
  readonly bits: Bits;
  until: number;
  pauseMs: number;
  /** It was left out, and loaded all the same. */
  stays: boolean;
}

export function createCulprits(log: Log): Culprits {
  const records = new Map<string, Record>();

  function blame(bits: Bits, file: string, why: unknown): boolean {
    const before = records.get(file);
    const remedy = 'Update the driver that this file belongs to, or remove it.';
    if (before && before.until > performance.now()) {
      if (!before.stays) log.warn(`The TWAIN source ${file} breaks down when it is asked for its name, and cannot be left out: ${bits}-bit sources are listed as they were known last. ${remedy}`);
      before.stays = true;
      return false;
    }
    const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_PAUSE_MS) : FIRST_PAUSE_MS;
    records.set(file, { bits, until: performance.now() + pauseMs, pauseMs, stays: false });
    log.warn(`The TWAIN source ${file} broke down when it was asked for its name (${messageOf(why)}). It is left out for ${Math.round(pauseMs / 60_000)} minutes. ${remedy}`);
    return true;
  }

  return {
    of: (bits, ended) => ({
      get skip() {
        const now = performance.now();
        return [...records].filter(([, record]) => record.bits === bits && record.until > now).map(([file]) => file);
      },
      blame: (file, why) => !ended.aborted && blame(bits, file, why),
      pardon(files) {
        for (const file of files) records.delete(file);
      },
    }),
    forget: () => records.clear(),
  };
}
