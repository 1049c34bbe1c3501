/**
 * The scans whose pages this tab shows, and when the service may let one of them go.
 *
 * The service keeps each scan until it is told to let it go, or for its configured hours. A page is done with when the
 * user saved or removed it. A scan is let go when it has ended, the user is done with every page of it, and
 *
 * - its last page here was removed, and the Undo of that is over; or
 * - the user leaves: closes the tab, reloads it, goes to another address; or
 * - the page is opened again, and finds it.
 *
 * All other scans stay at the service, which offers them when the page is opened again.
 */
import type { Scan } from '../client.js';
import { release } from './holding.js';
import { markOf, marksIn, setMarks } from './marks.js';
import { recall, remember } from './memory.js';
import { keptAt } from './page.js';
import type { Sheet } from './pageList.js';

export interface ScansHere {
  readonly all: readonly Scan[];
  /** Whether this tab shows the scan. */
  has(scan: Scan): boolean;
  /** Whether this tab showed the scan before it was reloaded. */
  had(scan: Scan): boolean;
  add(scan: Scan): void;
  /** Marks pages as removed. @returns a function that takes it back */
  remove(sheets: readonly Sheet[]): () => void;
  /**
   * Pages were removed for good, or another scan began.
   * @param left the pages that are shown
   * @param empty also scans without pages: nobody will continue them
   */
  letGo(left: readonly Sheet[], empty?: boolean): void;
  /** The user leaves. */
  leave(): void;
}

/**
 * Whether the user is done with every page. One that ended without pages is done with. Counts marks: the first page that
 * is left of an auto-scan may have any number.
 */
export const isDone = ({ id, state, pageCount }: Scan): boolean => state !== 'running' && marksIn(id) >= pageCount;

/** In the tab's own storage. */
const NAME = 'scans';

export function createScansHere(): ScansHere {
  const all = new Map<string, Scan>();
  const earlier = new Set((recall(NAME, 'tab') as readonly string[] | undefined) ?? []);
  const note = (): void => remember(NAME, [...all.keys()], 'tab');
  return {
    get all() {
      return [...all.values()];
    },
    has: ({ id }) => all.has(id),
    had: ({ id }) => earlier.has(id),
    add(scan) {
      all.set(scan.id, scan);
      note();
    },
    remove(sheets) {
      const kept = sheets.map(({ page }) => keptAt(page)).filter(each => each !== undefined);
      const before = kept.map(({ scan, number }) => ({ scan, number, mark: markOf(scan, number) }));
      setMarks(before.map(each => ({ ...each, mark: 'removed' })));
      return () => setMarks(before);
    },
    letGo(left, empty = false) {
      const shown = new Set(left.map(({ page }) => keptAt(page)?.scan));
      for (const scan of all.values()) {
        if (shown.has(scan.id) || (scan.pageCount === 0 && !empty) || !isDone(scan)) continue;
        all.delete(scan.id);
        // If this fails, the scan is found when the page is opened again.
        void scan
          .done()
          .catch(() => undefined)
          .then(() => release(scan.id));
      }
      note();
    },
    leave() {
      for (const scan of all.values()) if (isDone(scan)) void scan.done().catch(() => undefined);
    },
  };
}
