/** Scans of earlier visits that wait at the service: shown again, or discarded. */
import type { Scan } from '../../client/scans/keptScan.js';
import type { Context } from '../context.js';
import type { ScanLocks } from './scanLocks.js';
import { isOfComponent, isPreview } from './job.js';
import type { PageMarks } from '../pages/pageMarks.js';
import type { Notices } from '../messages/notices.js';
import { pagesIn, type SavedDocument, type SavedDocuments } from '../pages/savedDocuments.js';
import type { ShownScans } from './shownScans.js';

export interface WaitingScansParts {
  readonly context: Context;
  readonly notices: Notices;
  readonly shownScans: ShownScans;
  readonly marks: PageMarks;
  readonly locks: ScanLocks;
  readonly documents: SavedDocuments;
  /** Every scan of this origin is this component's: no application uses the client beside it. */
  takesAll(): boolean;
  /** Shows these scans, in order. */
  onShow(scans: readonly Scan[]): void;
  onOpen(saved: WaitingDocument): void;
}

/** One that was saved, of which no page is shown. */
export interface WaitingDocument {
  readonly savedDocument: SavedDocument;
  /** Those of its scans that the service still has. */
  readonly scans: readonly Scan[];
}

export interface WaitingScans {
  /** Offered to the person: nothing was saved of them, or not all. */
  readonly scans: readonly Scan[];
  readonly saved: readonly WaitingDocument[];
  /** The scans that the service had when it was asked, by id. */
  readonly listed: ReadonlySet<string>;
  /** The service was not asked, or has not answered yet. */
  readonly isLooking: boolean;
  /** Pages of a scan that the person did not remove. */
  pagesOf(scan: Scan): number;
  /** Asks the service. Scans of this component, and one that runs, are shown at once; the others are offered. */
  look(): Promise<void>;
  /** Offers these, too, which this component showed. */
  add(scans: readonly Scan[]): void;
  accept(): void;
  open(saved: WaitingDocument): void;
  /** Discards them. */
  refuse(scans: readonly Scan[]): void;
}

export function createWaitingScans(parts: WaitingScansParts): WaitingScans {
  const { context, notices, shownScans, marks, locks, documents, takesAll, onShow, onOpen } = parts;
  /** Saved or not. */
  let offered: readonly Scan[] = [];
  let listed: ReadonlySet<string> = new Set();
  let isLooking = true;

  function offer(some: readonly Scan[]): void {
    offered = some;
    context.changed();
  }
  const add = (some: readonly Scan[]): void => {
    const ids = new Set(some.map(({ id }) => id));
    offer([...offered.filter(({ id }) => !ids.has(id)), ...some]);
  };
  function leave(some: readonly Scan[]): void {
    offer(offered.filter(scan => !some.includes(scan)));
    context.focus('pages');
  }
  const pagesOf = ({ id, pageCount }: Scan): number => pageCount - marks.count(id, 'removed');
  /** Not of one that was scanned on after it was saved. */
  const isIn = (saved: SavedDocument, scan: Scan): boolean => {
    const count = pagesIn(saved, scan.id);
    return count > 0 && count >= pagesOf(scan);
  };
  const unsaved = (): readonly Scan[] => offered.filter(scan => !documents.all.some(each => isIn(each, scan)));
  const letGo = (some: readonly Scan[]): void => {
    Promise.all(some.map(shownScans.release)).catch((error: unknown) => void notices.fail(error));
  };

  return {
    get scans() {
      return unsaved();
    },
    get saved() {
      return documents.all
        .map(savedDocument => ({ savedDocument, scans: offered.filter(scan => isIn(savedDocument, scan)) }))
        .filter(({ scans }) => scans.length > 0);
    },
    get listed() {
      return listed;
    },
    get isLooking() {
      return isLooking;
    },
    pagesOf,
    add,
    accept() {
      const scans = unsaved();
      leave(scans);
      onShow(scans);
    },
    open(saved) {
      leave(saved.scans);
      onOpen(saved);
    },
    refuse(refused) {
      leave(refused);
      notices.show('note', {
        title: context.words('waiting.discarded', { count: refused.length }),
        action: { text: context.words('undo'), run: () => add(refused) },
        onGone: () => letGo(refused),
      });
    },
    async look() {
      isLooking = true;
      await find().finally(() => {
        isLooking = false;
        context.changed();
      });
    },
  };

  async function find(): Promise<void> {
    const before = offered;
    const all = await context.client.listScans();
    const ids = new Set(all.map(({ id }) => id));
    marks.keep(ids);
    documents.keep(ids);
    for (const scan of all.filter(isPreview)) scan.done().catch(() => undefined);
    const others = all.filter(
      scan =>
        !isPreview(scan) && !shownScans.has(scan) && !shownScans.isOfOther(scan) && (takesAll() || isOfComponent(scan)),
    );
    const isFree = await Promise.all(others.map(({ id }) => locks.hold(id)));
    const free = others.filter((_, at) => isFree[at]);
    for (const scan of free.filter(each => shownScans.isDone(each))) shownScans.release(scan).catch(() => undefined);
    const left = free.filter(scan => !shownScans.isDone(scan));
    listed = new Set(all.filter(scan => !free.includes(scan) || left.includes(scan)).map(({ id }) => id));
    const isOwn = (scan: Scan): boolean => (scan.state === 'running' && takesAll()) || shownScans.had(scan);
    onShow([...shownScans.all, ...left.filter(isOwn)]);
    const meanwhile = offered.filter(scan => !before.includes(scan));
    offer(left.filter(scan => !isOwn(scan)));
    add(meanwhile);
  }
}
