/** Source files that crashed or hung when TWAIN's manager asked for their names: each manager skips its own. */
import { createQuarantine, type Quarantine } from '@platen/driver-kit';
import type { Log } from '@platen/core/plugin';
import type { Bits } from '../settings.js';

/** The files that one manager skips while it finds sources, and the reports about the files that it loads. */
export type LoadGuard = Pick<Quarantine, 'skip' | 'add' | 'release'>;

export interface SourceQuarantine {
  /** @param ended after this the driver itself ends the manager's process, which is not a file's fault */
  guard(bits: Bits, ended: AbortSignal): LoadGuard;
  /** The files may have changed: stops skipping them. */
  clear(): void;
}

export function createSourceQuarantine(log: Log): SourceQuarantine {
  const of = (bits: Bits): Quarantine =>
    createQuarantine({
      log,
      called: file => `The TWAIN source ${file}`,
      when: 'when it was asked its name',
      unskipped: `${bits}-bit sources are listed from the last listing`,
      remedy: 'Update the driver that this file belongs to, or remove it.',
    });
  const quarantines: Readonly<Record<Bits, Quarantine>> = { 32: of(32), 64: of(64) };

  return {
    guard(bits, ended) {
      const quarantine = quarantines[bits];
      return {
        get skip() {
          return quarantine.skip;
        },
        add: (file, why) => !ended.aborted && quarantine.add(file, why),
        release: quarantine.release,
      };
    },
    clear() {
      for (const each of Object.values(quarantines)) each.clear();
    },
  };
}
