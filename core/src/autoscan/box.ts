/**
 * The pages of one auto-scan: a kept scan with several owners and, on top, an outbox for readers of the event stream.
 * When the auto-scan is over, what no reader had is a scan for its owners; each page keeps its number, so the first one
 * may have a number above 1. A page that a client got there counts as taken in the event stream, and the other way round.
 *
 * One that keeps its pages is a scan from its first moment to its release, and a client that follows it there is a reader.
 */
import type { ErrorCode } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { KeptScan, ScanRecord } from '../kept/keptScan.js';
import type { AutoscanFacts } from '../kept/scanFacts.js';
import { atRisk, type PageStore, type StoredPage } from '../kept/storedPage.js';
import { createOutbox, type Outbox } from '../outbox/outbox.js';
import type { EndReason, OutboxEnd } from '../outbox/outboxEnd.js';
import type { Series } from '../outbox/series.js';
import { createNotifier } from '../time/notifier.js';

export interface Box extends ScanRecord {
  readonly kind: 'autoscan';
  readonly store: PageStore<AutoscanFacts>;
  readonly outbox: Outbox<StoredPage>;
  /** Its pages stay when a reader has them. */
  readonly keeps: boolean;
  /** A page came. @param number taken from the series of the outbox */
  put(number: number, page: StoredPage): void;
  /** A client follows it as a scan. @returns what to call when it does not any more */
  attend(): () => void;
  /** Called when its owner cancels it as a scan. */
  onCancel(): void;
  /** Called when a reader connects or leaves, or a page was delivered elsewhere. */
  onReaders(count: number): void;
  /** Its auto-scan is over: its undelivered pages are a scan from now on. */
  end(end: OutboxEnd): void;
}

export interface BoxParts {
  /** The first part of its ids is in the facts. */
  readonly series: Series;
  /** Milliseconds for which its pages are kept after its end. */
  readonly keepMs: number;
  /** Bytes of delivered pages to keep for readers that come back. */
  readonly resendBytes: number;
  readonly log: Log;
  /** Most undelivered pages in it. */
  capacity(): number;
  /** Called when a page was delivered, or the box was removed: there is more room. */
  onRoom(): void;
  onRemoved(box: Box): void;
}

/** @param damaged pages of an earlier run that cannot be read */
export function createBox(store: PageStore<AutoscanFacts>, damaged: ReadonlySet<StoredPage>, parts: BoxParts): Box {
  const { series, keepMs, resendBytes, log, capacity, onRoom, onRemoved } = parts;
  const { id, createdAt, scannerName, requestId, keeps = false } = store.facts;
  /** Those that no reader had when it ended, or all. */
  const pages: StoredPage[] = [];
  const change = createNotifier();
  let ended: OutboxEnd | undefined;
  let isRemoved = false;
  const followers = createFollowers(() => {
    box.onReaders(readers());
    onRoom();
  });
  const readers = (): number => outbox.readers + followers.count;
  const outbox = createOutbox<StoredPage>({
    series,
    lost: lostOf(store, damaged),
    found: store.found
      .filter(page => !damaged.has(page))
      .map(page => ({ n: page.page.pageNumber, value: page, delivered: page.delivered })),
    // Who follows it as a scan sees each page; its files may be fetched when all are there.
    capacity: () => (keeps && followers.count > 0 ? Infinity : capacity()),
    resendBytes,
    sizeOf: ({ size }) => size,
    onReaders: () => box.onReaders(readers()),
    onDelivered(page) {
      page.deliver();
      onRoom();
    },
    drop: page => (!keeps || isRemoved) && page.drop(),
    onLost: ({ page }) =>
      log.warn(
        `Page ${page.pageNumber} of an auto-scan on ${scannerName} was discarded: its reader did not finish reading it.`,
      ),
  });
  const asScanned = (page: StoredPage): StoredPage =>
    taking(
      page,
      () => outbox.deliver(page),
      () => box.onReaders(readers()),
    );
  if (keeps) pages.push(...store.found.map(asScanned));
  const box: Box = {
    ...{ id, kind: 'autoscan', createdAt, scannerName, store, outbox, pages, keepMs, notes: [], keeps },
    ...(requestId === undefined ? {} : { requestId }),
    get origins() {
      return store.facts.origins;
    },
    get state() {
      return stateOf(ended, keeps).state;
    },
    get code() {
      return stateOf(ended, keeps).code;
    },
    get error() {
      return stateOf(ended, keeps).error;
    },
    get progress() {
      return { scanned: pages.length, finished: pages.length };
    },
    changed: change.wait,
    cancel: () => box.onCancel(),

    get isShown() {
      return keeps || pages.length > 0;
    },
    get isListed() {
      return keeps || (pages.length > 0 && outbox.waiting > 0);
    },
    get isUsed() {
      return ended === undefined;
    },
    get bytes() {
      return keeps ? pages.reduce((sum, { size }) => sum + size, 0) : 0;
    },
    get unread() {
      return outbox.unread;
    },
    get atRisk() {
      return atRisk(outbox.undelivered);
    },
    async remove(isTaken = false) {
      const problem = await store.remove(() => {
        isRemoved = true;
        if (isTaken) outbox.deliver();
        return outbox.discard(ended ?? CUT_OFF);
      });
      if (problem) {
        isRemoved = false;
        return problem;
      }
      box.onReaders = () => undefined;
      onRemoved(box);
      onRoom();
      return undefined;
    },

    onCancel: () => undefined,
    onReaders: () => undefined,
    put(number, page) {
      if (keeps) pages.push(asScanned(page));
      outbox.put(number, page);
      change.notify();
    },
    attend: followers.add,
    end(end) {
      ended = end;
      outbox.end(end);
      change.notify();
      if (keeps) return;
      pages.push(
        ...[...outbox.undelivered, ...[...damaged].filter(({ delivered }) => !delivered)]
          .sort((a, b) => a.page.pageNumber - b.page.pageNumber)
          .map(asScanned),
      );
    },
  };
  return box;
}

/** Numbers of pages that cannot be read any more; of a series of its own, also those of files that are gone. */
function lostOf({ facts, found }: PageStore<AutoscanFacts>, damaged: ReadonlySet<StoredPage>): number[] {
  const numberOf = ({ page }: StoredPage): number => page.pageNumber;
  if (facts.isShared) return [...damaged].map(numberOf);
  const there = new Set(found.filter(page => !damaged.has(page)).map(numberOf));
  const [first = 1, last = 0] = [found[0], found.at(-1)].map(page => page && numberOf(page));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).filter(n => !there.has(n));
}

/** The end of an auto-scan that was interrupted before it could report one. */
export const CUT_OFF: OutboxEnd = {
  event: 'error',
  reason: 'service-ended',
  message: 'The service ended while auto-scan was on. Enable auto-scan again.',
};

/** Codes of a scan for ends of an auto-scan with `error`. */
const codes: Readonly<Partial<Record<EndReason, ErrorCode>>> = {
  'device-lost': 'device-offline',
  'not-connected': 'not-connected',
  'storage-failed': 'storage-failed',
  'pages-lost': 'storage-failed',
  'service-ended': 'service-ended',
};

/** Of one that keeps its pages, nobody else tells that its scans failed. */
function stateOf(end: OutboxEnd | undefined, keeps: boolean): Pick<KeptScan, 'state' | 'code' | 'error'> {
  if (!end) return { state: 'running' };
  if (end.event === 'disabled' && !(keeps && end.reason === 'failing')) return { state: 'completed' };
  const code = codes[end.reason] ?? 'driver-failed';
  return { state: code === 'service-ended' ? 'interrupted' : 'failed', code, error: end.message };
}

interface Followers {
  readonly count: number;
  /** @returns what to call when it leaves */
  add(): () => void;
}

function createFollowers(onChange: () => void): Followers {
  const all = new Set<symbol>();
  return {
    get count() {
      return all.size;
    },
    add() {
      const its = Symbol();
      all.add(its);
      onChange();
      return () => void (all.delete(its) && onChange());
    },
  };
}

function taking(page: StoredPage, ...taken: readonly (() => void)[]): StoredPage {
  return {
    ...page,
    get delivered() {
      return page.delivered;
    },
    get isStored() {
      return page.isStored;
    },
    deliver: () => taken.forEach(each => each()),
  };
}
