/** Scans of earlier visits that wait at the service: shown again, or discarded. */
import type { Scan } from '../client/keptScan.js';
import type { Context } from './context.js';
import type { Holding } from './holding.js';
import { isOfComponent, isPreview } from './job.js';
import type { Marks } from './marks.js';
import type { Notices } from './notices.js';
import type { ScansHere } from './scansHere.js';

export interface WaitingParts {
  readonly context: Context;
  readonly notices: Notices;
  readonly here: ScansHere;
  readonly marks: Marks;
  readonly holding: Holding;
  /** Every scan of this origin is this component's: no application uses the client beside it. */
  takesAll(): boolean;
  /** Shows these scans, in order. */
  onShow(scans: readonly Scan[]): void;
}

export interface Waiting {
  /** Offered to the person. */
  readonly scans: readonly Scan[];
  /** The scans that the service had when it was asked, by id. */
  readonly listed: ReadonlySet<string>;
  /** The service was not asked, or has not answered yet. */
  readonly isLooking: boolean;
  /** Pages of a scan that the person did not remove. */
  pagesOf(scan: Scan): number;
  /** Asks the service. Scans of this component, and one that runs, are shown at once; the others are offered. */
  look(): Promise<void>;
  accept(): void;
  refuse(): void;
}

export function createWaiting({ context, notices, here, marks, holding, takesAll, onShow }: WaitingParts): Waiting {
  let scans: readonly Scan[] = [];
  let listed: ReadonlySet<string> = new Set();
  let isLooking = true;

  function offer(some: readonly Scan[]): void {
    scans = some;
    context.changed();
  }
  function leave(): readonly Scan[] {
    const offered = scans;
    offer([]);
    context.focus('pages');
    return offered;
  }
  const letGo = (some: readonly Scan[]): void => {
    Promise.all(some.map(here.release)).catch((error: unknown) => void notices.fail(error));
  };

  return {
    get scans() {
      return scans;
    },
    get listed() {
      return listed;
    },
    get isLooking() {
      return isLooking;
    },
    pagesOf: ({ id, pageCount }) => pageCount - marks.count(id, 'removed'),
    accept: () => onShow(leave()),
    refuse() {
      const refused = leave();
      notices.show('note', {
        title: context.words('waiting.discarded', { count: refused.length }),
        action: { text: context.words('undo'), run: () => offer(refused) },
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
    const all = await context.client.listScans();
    marks.keep(new Set(all.map(({ id }) => id)));
    for (const scan of all.filter(isPreview)) scan.done().catch(() => undefined);
    const others = all
      .filter(({ kind, state }) => kind === 'scan' || state !== 'running')
      .filter(
        scan => !isPreview(scan) && !here.has(scan) && !here.isOfOther(scan) && (takesAll() || isOfComponent(scan)),
      );
    const isFree = await Promise.all(others.map(({ id }) => holding.hold(id)));
    const free = others.filter((_, at) => isFree[at]);
    for (const scan of free.filter(each => here.isDone(each))) here.release(scan).catch(() => undefined);
    const left = free.filter(scan => !here.isDone(scan));
    listed = new Set(all.filter(scan => !free.includes(scan) || left.includes(scan)).map(({ id }) => id));
    const isOwn = (scan: Scan): boolean => (scan.state === 'running' && takesAll()) || here.had(scan);
    onShow([...here.all, ...left.filter(isOwn)]);
    offer(left.filter(scan => !isOwn(scan)));
  }
}
