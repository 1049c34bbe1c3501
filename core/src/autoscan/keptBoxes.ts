/** Boxes of auto-scans that have ended, for the next reader of an origin that enabled them. */
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import type { KeptPage, StoredBox } from './boxStore.js';
import { createOutbox, type Outbox } from './outbox.js';
import type { OutboxEnd } from './outboxEnd.js';
import { pagesInWords } from './words.js';

export interface BoxLimits {
  /** How long nobody may read. */
  readonly idleMs: number;
  /** Of delivered pages, so many bytes are kept for readers that come back. */
  readonly resendBytes: number;
  /** How long pages of an auto-scan that has ended wait. */
  readonly keptMs: number;
}

/** A box as readers have it, and as it lies on the disk. */
export interface Box {
  readonly outbox: Outbox<KeptPage>;
  readonly stored: StoredBox;
  /** Called when a reader came or left. */
  onReaders(count: number): void;
}

/** @param capacity undelivered pages that may wait in it */
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
    outbox: createOutbox<KeptPage>({
      series: stored.facts.series,
      found: stored.pages,
      capacity,
      resendBytes,
      sizeOf: ({ bytes }) => bytes.size,
      onReaders: count => box.onReaders(count),
      onDelivered(page) {
        page.sent();
        onDelivered();
      },
      drop: page => page.drop(),
      onLost: ({ page }) =>
        log.warn(
          `Page ${page.pageNumber} of an auto-scan on ${stored.facts.scanner} was discarded: its reader did not take it to its end.`,
        ),
    }),
  };
  return box;
}

export interface KeptBoxes {
  /** Keeps the box of an auto-scan that has just ended; it knows its end. */
  add(box: Box): void;
  /** Pages that wait for any of these origins. */
  waiting(origins: ReadonlySet<string>): number;
  /** Those with a page for this reader, the oldest first. */
  offered(origin: string, lastEventId?: string): Outbox<KeptPage>[];
  /** @returns how many pages nobody had taken */
  discard(origin: string, end: OutboxEnd): number;
  /** Stops all timers; what waits stays on the disk. */
  close(): Promise<void>;
}

interface Kept extends Box {
  cancelIdle(): void;
  cancelAge(): void;
}

/** How an auto-scan ended that could not say so. */
const CUT_OFF: OutboxEnd = {
  event: 'error',
  reason: 'service-ended',
  message: 'The service was ended while auto-scan was on; enable it again.',
};

export interface KeptBoxesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: BoxLimits;
  /** Boxes of the last run. */
  readonly found: readonly StoredBox[];
  /** A page that waited was taken. */
  onDelivered(): void;
}

export function createKeptBoxes({ clock, log, limits, found, onDelivered }: KeptBoxesParts): KeptBoxes {
  const all = new Set<Kept>();
  const removing = new Set<Promise<void>>();
  let closed = false;
  const nothing = (): void => undefined;
  const concerns = ({ stored }: Box, origins: ReadonlySet<string>): boolean =>
    stored.facts.origins.some(each => origins.has(each));

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

  const add = (box: Box): void => {
    const kept: Kept = Object.assign(box, { cancelIdle: nothing, cancelAge: nothing });
    const { end = CUT_OFF, endedAt = clock.now(), scanner } = box.stored.facts;
    all.add(kept);
    kept.outbox.end(end);
    // Pages that were delivered stay for a reader that comes back at once.
    kept.onReaders = readers => {
      kept.cancelIdle();
      kept.cancelIdle =
        readers > 0 || kept.outbox.waiting > 0 || closed
          ? nothing
          : clock.after(limits.idleMs, () => void remove(kept, end));
    };
    kept.onReaders(kept.outbox.readers);
    // A clock that was set back makes nobody wait longer than from now on.
    const left = Math.min(limits.keptMs, endedAt + limits.keptMs - clock.now());
    kept.cancelAge = clock.after(Math.max(0, left), () => {
      const lost = remove(kept, end);
      if (lost > 0)
        log.warn(
          `${pagesInWords(lost)} of an auto-scan on ${scanner} that nobody took ${lost === 1 ? 'was' : 'were'} discarded after ${limits.keptMs / 3_600_000} hours.`,
        );
    });
  };

  for (const stored of [...found].sort((a, b) => (a.facts.endedAt ?? Infinity) - (b.facts.endedAt ?? Infinity))) {
    if (stored.facts.endedAt === undefined) void stored.tell({ end: CUT_OFF, endedAt: clock.now() });
    const box = createBox(stored, limits, log, () => 0, onDelivered);
    add(box);
    const { waiting } = box.outbox;
    if (waiting > 0)
      log.info(
        `${pagesInWords(waiting)} of an auto-scan on ${stored.facts.scanner} ${waiting === 1 ? 'waits' : 'wait'} for ${stored.facts.origins.map(originInWords).join(', ')}.`,
      );
  }

  return {
    add,
    waiting: origins =>
      [...all].filter(box => concerns(box, origins)).reduce((sum, { outbox }) => sum + outbox.waiting, 0),
    offered(origin, lastEventId) {
      const own = [...all].filter(box => concerns(box, new Set([origin])));
      const offering = own.filter(({ outbox }) => outbox.offers(lastEventId));
      // Of one whose last page this reader had, nothing waits any more.
      for (const box of own) box.onReaders(box.outbox.readers);
      return offering.map(({ outbox }) => outbox);
    },
    discard: (origin, end) =>
      [...all].filter(box => concerns(box, new Set([origin]))).reduce((sum, box) => sum + remove(box, end), 0),
    async close() {
      closed = true;
      for (const { cancelAge, cancelIdle } of all) {
        cancelAge();
        cancelIdle();
      }
      await Promise.all([...removing, ...[...all].map(({ stored }) => stored.settled())]);
    },
  };
}

function originInWords(origin: string): string {
  return origin === '' ? 'programs on this computer' : origin;
}
