/**
 * The scans whose pages a component shows, and when the service may let one of them go.
 *
 * The service keeps each scan until it is told to let it go, or for its configured hours. A page is done with when the
 * person handed it over or removed it; not when they saved it, because a download that began is no file yet. Because
 * every removal can be undone, a scan whose pages are all done with is let go only when
 *
 * - the person leaves: closes the tab, reloads it, goes to another address; or
 * - they ask for room; or
 * - the page is opened again, and finds it.
 *
 * All other scans stay at the service, which offers them when the page is opened again.
 */
import type { Scan } from '../../client/scans/keptScan.js';
import { follow } from './followScan.js';
import type { ScanLocks } from './scanLocks.js';
import type { Mark, PageMarks } from '../pages/pageMarks.js';
import type { Memory } from '../memory.js';
import type { Sheet } from '../pages/page.js';

export interface ShownScans {
  readonly all: readonly Scan[];
  byId(id: string): Scan | undefined;
  has(scan: Scan): boolean;
  /** Whether this component showed the scan before the page was reloaded. */
  had(scan: Scan): boolean;
  /** Whether another component in this document shows the scan, or did before the page was reloaded. */
  isOfOther(scan: Scan): boolean;
  add(scan: Scan): void;
  /** One that was handed over and is saved, too, stays handed over. */
  mark(sheets: readonly Sheet[], mark: Mark | undefined): void;
  isMarked(sheet: Sheet, mark: Mark): boolean;
  /** Shows none any more: lets go those that are done with. @returns the others, which stay at the service */
  setAside(): readonly Scan[];
  /**
   * Whether the person is done with every page. One that ended without pages is done with. Counts marks: the first page
   * that is left of an auto-scan may have any number.
   */
  isDone(scan: Scan): boolean;
  /** Lets go those that are done with. @param but ids of scans that stay @returns how many */
  letGo(but?: ReadonlySet<string>): number;
  /** Lets go all, done with or not. */
  letGoAll(): void;
  /** Lets this one go at the service; ends it first if it runs. */
  release(scan: Scan): Promise<void>;
  dispose(): void;
}

/** Of all components in this document. */
const inDocument = new Set<ShownScans>();

/** In the tab's own storage. */
const NAME = 'scans';

/** Ends a scan that nobody follows. Resolves when the scanner has finished the current sheet. */
async function ended(scan: Scan): Promise<void> {
  await scan.cancel();
  await follow(scan, { onSheets: () => undefined, onProgress: () => undefined, onConnection: () => undefined });
}

/** @param memory the component's own */
export function createShownScans(memory: Memory, marks: PageMarks, locks: ScanLocks): ShownScans {
  const all = new Map<string, Scan>();
  const earlier = new Set<string>((memory.recall(NAME, 'tab') as readonly string[] | undefined) ?? []);
  const note = (): void => memory.remember(NAME, [...all.keys()], 'tab');
  const isDone = ({ id, state, pageCount }: Scan): boolean =>
    state !== 'running' && marks.count(id, 'removed') + marks.count(id, 'handed-over') >= pageCount;
  // If this fails, the scan is found when the page is opened again.
  const release = async (scan: Scan): Promise<void> => {
    try {
      if (scan.state === 'running') await ended(scan);
      await scan.done();
    } finally {
      locks.release(scan.id);
    }
  };
  function letGo(some: readonly Scan[]): void {
    for (const scan of some) {
      all.delete(scan.id);
      release(scan).catch(() => undefined);
    }
    note();
  }
  const shownScans: ShownScans = {
    get all() {
      return [...all.values()];
    },
    byId: id => all.get(id),
    has: ({ id }) => all.has(id),
    had: ({ id }) => earlier.has(id),
    isOfOther: scan => [...inDocument].some(other => other !== shownScans && (other.has(scan) || other.had(scan))),
    add(scan) {
      all.set(scan.id, scan);
      note();
    },
    mark(some, mark) {
      const sheets = mark === 'saved' ? some.filter(sheet => !shownScans.isMarked(sheet, 'handed-over')) : some;
      const changed = sheets.map(({ page }) => page.file).filter(({ scan, number }) => marks.of(scan, number) !== mark);
      marks.set(changed.map(({ scan, number }) => ({ scan, number, mark })));
    },
    isMarked: ({ page: { file } }, mark) => marks.of(file.scan, file.number) === mark,
    setAside() {
      shownScans.letGo();
      const left = [...all.values()];
      all.clear();
      earlier.clear();
      note();
      return left;
    },
    isDone,
    letGo(but) {
      const done = [...all.values()].filter(scan => isDone(scan) && but?.has(scan.id) !== true);
      letGo(done);
      return done.length;
    },
    letGoAll: () => letGo([...all.values()].filter(({ state }) => state !== 'running')),
    release,
    dispose: () => void inDocument.delete(shownScans),
  };
  inDocument.add(shownScans);
  return shownScans;
}
