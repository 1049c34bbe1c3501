/** Boxes of ended auto-scans, for the next reader of an origin that enabled them. */
import { messageOf } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { leftOf } from '../kept/age.js';
import type { KeptScan, OtherScans } from '../kept/keptScan.js';
import { atRisk, type StoredPage } from '../kept/storedPage.js';
import type { Clock } from '../time/clock.js';
import { createBoxScan } from './boxScan.js';
import type { StoredBox } from './boxStore.js';
import { createOutbox, type Outbox } from './outbox.js';
import type { OutboxEnd } from './outboxEnd.js';
import { pagesInWords } from './words.js';

export interface BoxLimits {
  /** Milliseconds without a reader before auto-scan ends. */
  readonly idleMs: number;
  /** Bytes of delivered pages to keep for readers that come back. */
  readonly resendBytes: number;
  /** Milliseconds to keep waiting pages of an ended auto-scan. */
  readonly keptMs: number;
}

/** A box: its outbox for readers, and its store on disk. */
export interface Box {
  readonly outbox: Outbox<StoredPage>;
  readonly stored: StoredBox;
  /** Called when a reader connects or leaves. */
  onReaders(count: number): void;
}

/** @param capacity most undelivered pages in it */
export function createBox(
  stored: StoredBox,
  { resendBytes }: BoxLimits,
  log: Log,
  capacity: () => number,
  onDelivered: () => void,
): Box {
  const nobody = (): void => undefined;
  const box: { -readonly [K in keyof Box]: Box[K] } = {
    stored,
    onReaders: nobody,
    outbox: createOutbox<StoredPage>({
      series: stored.facts.series,
      found: stored.found.map(page => ({ n: page.page.pageNumber, value: page, delivered: page.delivered })),
      capacity,
      resendBytes,
      sizeOf: ({ size }) => size,
      onReaders: count => box.onReaders(count),
      onDelivered(page) {
        page.deliver();
        onDelivered();
      },
      drop: page => page.drop(),
      onLost: ({ page }) =>
        log.warn(
          `Page ${page.pageNumber} of an auto-scan on ${stored.facts.scanner} was discarded: its reader did not finish reading it.`,
        ),
    }),
  };
  return box;
}

export interface KeptBoxes {
  /** Keeps the box of an auto-scan that has just ended; its facts contain the end. */
  add(box: Box): void;
  /** Number of pages that wait for any of these origins; for all if absent. */
  waiting(origins?: ReadonlySet<string>): number;
  /** Number of undelivered pages that are lost if the service ends now. */
  readonly atRisk: number;
  /** Highest number of a page in the boxes with pages that wait for this origin. */
  lastNumber(origin: string): number;
  /** Boxes with a page for this reader, oldest first. */
  offered(origin: string, lastEventId?: string): Outbox<StoredPage>[];
  /** @returns the number of pages that no reader took */
  discard(origin: string, end: OutboxEnd): number;
  /** The boxes as scans. */
  readonly scans: OtherScans;
  /** Stops all timers; waiting pages stay on disk. */
  close(): Promise<void>;
}

interface Kept extends Box {
  readonly scan: KeptScan;
  readonly end: OutboxEnd;
  cancelIdle(): void;
  cancelAge(): void;
}

/** The end of an auto-scan that was interrupted before it could report one. */
const CUT_OFF: OutboxEnd = {
  event: 'error',
  reason: 'service-ended',
  message: 'The service ended while auto-scan was on. Enable auto-scan again.',
};

export interface KeptBoxesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: BoxLimits;
  /** Boxes of the previous run. */
  readonly found: readonly StoredBox[];
  /** Called when a waiting page was taken. */
  onDelivered(): void;
}

export function createKeptBoxes({ clock, log, limits, found, onDelivered }: KeptBoxesParts): KeptBoxes {
  const all = new Set<Kept>();
  const removing = new Set<Promise<unknown>>();
  let closed = false;
  const nothing = (): void => undefined;
  const concerns = ({ stored }: Box, origins: ReadonlySet<string>): boolean =>
    stored.facts.origins.some(each => origins.has(each));

  /** A box that was empty when its auto-scan ended is none. */
  const scansOf = (origin: string): Kept[] =>
    [...all].filter(box => box.scan.pages.length > 0 && concerns(box, new Set([origin])));

  const remove = (kept: Kept, end: OutboxEnd): number => {
    all.delete(kept);
    kept.cancelAge();
    kept.cancelIdle();
    const { unread } = kept.outbox;
    const removed = kept.stored.remove(kept.outbox.discard(end));
    removing.add(removed);
    void removed.then(() => removing.delete(removed));
    onDelivered();
    return unread;
  };

  const add = (box: Box, left = limits.keptMs): void => {
    const { end = CUT_OFF, scanner } = box.stored.facts;
    const scan = createBoxScan(box, end, () => box.onReaders(box.outbox.readers));
    const kept: Kept = Object.assign(box, { scan, end, cancelIdle: nothing, cancelAge: nothing });
    all.add(kept);
    kept.outbox.end(end);
    // Delivered pages stay for a reader that reconnects immediately.
    kept.onReaders = readers => {
      kept.cancelIdle();
      kept.cancelIdle =
        readers > 0 || kept.outbox.waiting > 0 || closed || !all.has(kept)
          ? nothing
          : clock.after(limits.idleMs, () => void remove(kept, end));
    };
    kept.onReaders(kept.outbox.readers);
    kept.cancelAge = clock.after(left, () => {
      const lost = remove(kept, end);
      if (lost > 0)
        log.warn(
          `${pagesInWords(lost)} of an auto-scan on ${scanner} that no reader took ${lost === 1 ? 'was' : 'were'} discarded after ${limits.keptMs / 3_600_000} hours.`,
        );
    });
  };

  for (const stored of [...found].sort((a, b) => (a.facts.endedAt ?? Infinity) - (b.facts.endedAt ?? Infinity))) {
    const { left, changed } = leftOf(stored.facts, limits.keptMs, clock.now());
    if (changed) void stored.tell({ end: stored.facts.end ?? CUT_OFF, ...changed });
    const box = createBox(stored, limits, log, () => 0, onDelivered);
    add(box, left);
    const { waiting } = box.outbox;
    if (waiting > 0)
      log.info(
        `${pagesInWords(waiting)} of an auto-scan on ${stored.facts.scanner} ${waiting === 1 ? 'waits' : 'wait'} for ${stored.facts.origins.map(originInWords).join(', ')}.`,
      );
  }

  return {
    add,
    waiting: origins =>
      [...all].filter(box => !origins || concerns(box, origins)).reduce((sum, { outbox }) => sum + outbox.waiting, 0),
    get atRisk() {
      return [...all].reduce((sum, { outbox }) => sum + atRisk(outbox.undelivered), 0);
    },
    lastNumber: origin =>
      Math.max(
        0,
        ...[...all]
          .filter(box => box.outbox.waiting > 0 && concerns(box, new Set([origin])))
          .map(({ outbox }) => outbox.last),
      ),
    offered(origin, lastEventId) {
      const own = [...all].filter(box => concerns(box, new Set([origin])));
      const offering = own.filter(({ outbox }) => outbox.offers(lastEventId));
      // If this reader already has the last page, nothing waits.
      for (const box of own) box.onReaders(box.outbox.readers);
      return offering.map(({ outbox }) => outbox);
    },
    discard: (origin, end) =>
      [...all].filter(box => concerns(box, new Set([origin]))).reduce((sum, box) => sum + remove(box, end), 0),
    scans: {
      list: origin =>
        scansOf(origin)
          .filter(({ outbox }) => outbox.waiting > 0)
          .map(({ scan }) => scan),
      find: (origin, id) => scansOf(origin).find(({ scan }) => scan.id === id)?.scan,
      async release(scan) {
        const box = [...all].find(each => each.scan === scan);
        if (!box) return;
        box.outbox.deliver();
        remove(box, box.end);
        await Promise.all(removing);
        await box.stored.settled();
      },
    },
    async close() {
      closed = true;
      for (const { cancelAge, cancelIdle } of all) {
        cancelAge();
        cancelIdle();
      }
      for (const { stored } of all)
        await stored.save().catch((error: unknown) => log.warn(`Pages are lost with the service. ${messageOf(error)}`));
      await Promise.all([...removing, ...[...all].map(({ stored }) => stored.settled())]);
    },
  };
}

function originInWords(origin: string): string {
  return origin === '' ? 'programs on this computer' : origin;
}
