/** Pages of a scan that must not fail for its disk: they go to a folder, or to a spare place where that fails. */
import { messageOf } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { PageStore } from './storedPage.js';

export interface SpareStore<Facts> extends PageStore<Facts> {
  /** Whether nothing of it went to the folder. */
  readonly isSpareOnly: boolean;
}

/**
 * @param spare takes every page from the first one on that the folder refuses
 * @param hasRoom asked when it begins: without room, nothing goes to the folder
 */
export function withSpare<Facts>(
  folder: PageStore<Facts>,
  spare: PageStore<Facts>,
  hasRoom: () => boolean,
  log: Log,
): SpareStore<Facts> {
  let isRefused = false;
  let inFolder = 0;
  const refuse = (error: unknown): void => {
    isRefused = true;
    log.warn(`Scanned pages wait in the spool instead: ${messageOf(error)}`);
  };
  return {
    get facts() {
      return folder.facts;
    },
    found: [],
    get isSpareOnly() {
      return isRefused && inFolder === 0;
    },
    async begin(changed) {
      if (hasRoom()) await folder.begin(changed).catch(refuse);
      else isRefused = true;
    },
    // A page that the folder refused is in the spare place.
    save: async () => undefined,
    isSaved: () => true,
    async keep(page, report) {
      if (!isRefused) {
        const kept = await folder.keep(page, report);
        if (!kept.problem) {
          inFolder++;
          return kept;
        }
        refuse(kept.problem);
      }
      const kept = await spare.keep(page, report);
      // The spool does not outlive the service, as its scan does.
      Object.assign(kept.stored, { isStored: false });
      return kept;
    },
    tell: changed => folder.tell(changed),
    async remove() {
      const [problem] = await Promise.all([folder.remove(), spare.remove()]);
      return problem;
    },
    settled: folder.settled,
  };
}
