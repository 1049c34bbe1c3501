/** The boxes of all auto-scans: those that are on, and those that are over and have pages for a reader. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Log } from '../contract/plugin.js';
import { createAges } from '../kept/age.js';
import type { ScanRecord } from '../kept/keptScan.js';
import type { ScanCollection } from '../kept/scanCollection.js';
import type { AutoscanFacts } from '../kept/scanFacts.js';
import type { FoundScan, ScanStore } from '../kept/scanStore.js';
import type { PageStore, StoredPage } from '../kept/storedPage.js';
import type { Outbox } from '../outbox/outbox.js';
import type { OutboxEnd } from '../outbox/outboxEnd.js';
import { createSeries, type Series } from '../outbox/series.js';
import type { Clock } from '../time/clock.js';
import { createBox, CUT_OFF, type Box } from './box.js';
import { createLastPage } from './lastPage.js';
import { pagesInWords } from './words.js';

export interface BoxLimits {
  /** Milliseconds without a reader before auto-scan ends. */
  readonly idleMs: number;
  /** Number of undelivered pages that stops feeding. */
  readonly outboxPages: number;
  /** Bytes of delivered pages to keep for readers that come back. */
  readonly resendBytes: number;
  /** Milliseconds to keep waiting pages of an ended auto-scan. */
  readonly keptMs: number;
  /** The same for one that keeps its pages, as scans on demand are kept. Absent: as long. */
  readonly scansMs?: number;
}

/** For an auto-scan that is a kept scan from its first moment. */
export interface Keeping {
  /** The client's own id of it. */
  readonly requestId?: string;
}

export interface BoxesParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: BoxLimits;
  readonly collection: ScanCollection;
  readonly store: Pick<ScanStore, 'create'>;
}

export interface Boxes {
  /** Those of earlier runs of the service. */
  adopt(found: readonly FoundScan<AutoscanFacts>[]): void;
  /**
   * For an auto-scan that begins: its pages are numbered with those of the others of this origin that are on.
   * @param keeping present: its pages stay when a reader has them
   */
  open(origin: string, scannerName: string, keeping?: Keeping): Box;
  /** Its auto-scan is over: its pages wait. @param pages so far: an empty box is none, unless it keeps its pages */
  keep(box: Box, end: OutboxEnd, pages: number): Promise<unknown>;
  /** Its auto-scan is over: its pages are discarded. */
  discard(box: Box, end: OutboxEnd): Promise<unknown>;
  /**
   * Discards those of this origin that are over.
   * @param scannerName only those of this scanner
   * @returns the number of pages that no reader took
   */
  discardOf(origin: string, scannerName?: string): number;
  /** Number of undelivered pages in boxes that are over, of any of these origins. */
  waiting(origins: readonly string[]): number;
  /** The same of all boxes, also of those that are on. */
  readonly totalWaiting: number;
  /** Highest number of a page in the boxes with pages that wait for this origin. */
  lastNumber(origin: string): number;
  /** Of the boxes that are over, those with a page for this reader, oldest first. */
  offered(origin: string, lastEventId?: string, scannerName?: string): Outbox<StoredPage>[];
  /** Stops all timers; waiting pages stay on disk. */
  close(): void;
}

const isOn = (box: Box, scannerName: string | undefined): boolean =>
  scannerName === undefined || box.scannerName === scannerName;

const isBox = (record: ScanRecord): record is Box => record.kind === 'autoscan';

export function createBoxes({ clock, log, limits, collection, store }: BoxesParts): Boxes {
  /** When the last reader of a box has left that has no page for anybody. */
  const idle = createAges(clock);
  const remembering = createLastPage();
  const all = (): Box[] => collection.records.filter(isBox);
  const over = (origins: readonly string[]): Box[] =>
    all().filter(box => !box.isUsed && !box.keeps && box.origins.some(each => origins.includes(each)));
  const sum = (boxes: readonly Box[], of: (box: Box) => number): number =>
    boxes.reduce((total, box) => total + of(box), 0);
  const waiting = (origins: readonly string[]): number => sum(over(origins), ({ outbox }) => outbox.waiting);
  /** A page that waits in one box counts against the room of the others. */
  const stir = (): void => {
    for (const { isUsed, outbox } of all()) if (isUsed) outbox.series.change.notify();
  };
  const boxOf = (its: PageStore<AutoscanFacts>, series: Series, damaged: ReadonlySet<StoredPage> = new Set()): Box => {
    const { resendBytes, keptMs, scansMs = keptMs, outboxPages } = limits;
    const keepMs = its.facts.keeps ? scansMs : keptMs;
    const box: Box = createBox(its, damaged, {
      ...{ series, keepMs, resendBytes, log, onRoom: stir },
      capacity: () => outboxPages - waiting(box.origins),
      onRemoved: ({ id }) => void idle.stop(id),
    });
    return box;
  };
  /** Delivered pages stay for a reader that reconnects immediately. */
  const wait = (box: Box, end: OutboxEnd): void => {
    if (box.keeps) return void ((box.onReaders = () => undefined), box.end(end));
    box.onReaders = readers => {
      idle.stop(box.id);
      if (readers === 0 && box.outbox.waiting === 0)
        idle.start(box.id, limits.idleMs, () => void collection.remove(box));
    };
    box.end(end);
    box.onReaders(box.outbox.readers);
  };

  // Their ends are right even if the clock was set meanwhile: see leftOf.
  const endOf = ({ facts }: PageStore<AutoscanFacts>): number => facts.endedAt ?? Infinity;
  const adopt = (found: FoundScan<AutoscanFacts>): void => {
    const last = found.found.at(-1)?.page.pageNumber ?? 0;
    const box = boxOf(found, createSeries(found.facts.series, last), found.damaged);
    if (found.found.length === 0 && !box.keeps) return void collection.remove(box);
    const { end } = found.facts;
    collection.adopt(box, end ? undefined : { end: CUT_OFF });
    wait(box, end ?? CUT_OFF);
    const count = box.outbox.waiting;
    if (count > 0 && !box.keeps)
      log.info(
        `${pagesInWords(count)} of an auto-scan on ${box.scannerName} ${count === 1 ? 'waits' : 'wait'} for ${box.origins.map(originInWords).join(', ')}.`,
      );
  };

  return {
    adopt: found => found.toSorted((a, b) => endOf(a) - endOf(b)).forEach(adopt),
    open(origin, scannerName, keeping) {
      const others = all().filter(({ isUsed, origins }) => isUsed && origins.includes(origin));
      const running = others[0]?.outbox.series;
      for (const { store: its } of others) if (!its.facts.isShared) void its.tell({ isShared: true });
      // A valid id proves what its reader got; nothing else does.
      const series = running ?? createSeries(String(randomInt(1e14, 2 ** 48 - 1)));
      const its = store.create<AutoscanFacts>({
        ...{ id: randomUUID(), kind: 'autoscan', origins: [origin], createdAt: clock.now(), scannerName },
        series: series.id,
        ...(running ? { isShared: true as const } : {}),
        ...(keeping ? { ...keeping, keeps: true as const } : {}),
      });
      // A restart finds it before its first page, too; a disk that refuses this refuses that page, which says so.
      if (keeping) its.begin().catch(() => undefined);
      const box = boxOf(remembering(its), series);
      collection.add(box);
      series.change.notify();
      return box;
    },
    keep(box, end, pages) {
      wait(box, end);
      // Who follows it hears of its end.
      if (pages === 0 && !box.keeps) return collection.remove(box);
      collection.startAge(box);
      return box.store.tell({ end, endedAt: clock.now() });
    },
    discard(box, end) {
      box.end(end);
      return collection.remove(box);
    },
    discardOf(origin, scannerName) {
      const boxes = over([origin]).filter(box => isOn(box, scannerName));
      const unread = sum(boxes, box => box.unread);
      for (const box of boxes) void collection.remove(box);
      return unread;
    },
    waiting,
    get totalWaiting() {
      return sum(all(), ({ outbox }) => outbox.waiting);
    },
    lastNumber: origin => Math.max(0, ...over([origin]).map(({ outbox }) => (outbox.waiting > 0 ? outbox.last : 0))),
    offered(origin, lastEventId, scannerName) {
      const own = over([origin]).filter(box => isOn(box, scannerName));
      const offering = own.filter(({ outbox }) => outbox.offers(lastEventId));
      // If this reader already has the last page, nothing waits.
      for (const box of own) box.onReaders(box.outbox.readers);
      return offering.map(({ outbox }) => outbox);
    },
    close: idle.close,
  };
}

function originInWords(origin: string): string {
  return origin === '' ? 'programs on this computer' : origin;
}
