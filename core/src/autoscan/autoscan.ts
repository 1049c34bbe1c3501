/** Auto-scan: while it is enabled, every sheet inserted into the feeder is scanned and delivered to the readers. */
import { ScanError } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { ScanCollection } from '../kept/scanCollection.js';
import type { AutoscanFacts } from '../kept/scanFacts.js';
import type { FoundScan, ScanStore } from '../kept/scanStore.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { OutboxEnd } from '../outbox/outboxEnd.js';
import { readInTurn, type LiveBoxes, type OutboxReader } from '../outbox/readInTurn.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { KnownDevice } from '../devices/devices.js';
import type { Lane } from '../scanning/lanes.js';
import { isSame, type OpenDevice } from '../scanning/openDevice.js';
import type { Box } from './box.js';
import { createBoxes, type Keeping } from './boxes.js';
import { BY_REQUEST, createAutoscanSession, type AutoscanSession, type SessionParts } from './session.js';
import { pagesInWords } from './words.js';

export type AutoscanParts = Omit<SessionParts, 'boxes' | 'lane'> & {
  readonly collection: ScanCollection;
  readonly store: Pick<ScanStore, 'create'>;
};

export interface AutoscanReader extends OutboxReader<StoredPage> {
  /** First part of the running auto-scan's page ids; undefined while it is off and only earlier pages remain. */
  readonly series: string | undefined;
}

export interface Disabled {
  readonly wasEnabled: boolean;
  /** Pages that no reader took, also of earlier auto-scans of this origin. */
  readonly discarded: number;
}

/** Each `origin` is of a web page; empty for a program. Where a `scannerName` is given, only auto-scan on that one counts. */
export interface Autoscan {
  /** Those of earlier runs of the service, which are over. */
  adopt(found: readonly FoundScan<AutoscanFacts>[]): void;
  /** Whether it is on, or ending, on any scanner. */
  readonly enabled: boolean;
  /**
   * While enabled, the new options apply from the next document. The scanner is open and supports the options.
   * @param keeping present: its pages stay when a reader has them, and it is a kept scan from now on
   * @returns notes for the user
   * @throws `no-source-open` if the scanner was closed meanwhile, `busy` if somebody uses it, or if this origin cannot have it
   *   together with what it has, or it is on already and does not keep its pages
   */
  enable(scanner: OpenDevice, options: ScanOptions, origin: string, keeping?: Keeping): Promise<readonly ScanNote[]>;
  /**
   * Disables it and keeps the pages that no reader took. Resolves when feeding has stopped and the readers were told.
   * @param which all if absent
   */
  end(end: OutboxEnd, which?: (scanner: KnownDevice) => boolean): Promise<void>;
  /**
   * Disables it where this origin enabled it, or, if that is nowhere or the origin is empty, everywhere. Discards the pages
   * that no reader took, including earlier ones of this origin, also while off.
   */
  disable(origin: string, scannerName?: string): Promise<Disabled>;
  /** The scanner that it uses in this lane, also while that one is closed and opened again; undefined while it is off. */
  scannerIn(lane: Lane): string | undefined;
  /** The scan of one that keeps its pages and that this origin enabled on this scanner. */
  keptOf(origin: string, scannerName: string): KeptScan | undefined;
  /** Whether it is enabled, and a page of this origin enabled it. */
  isOf(origin: string, scannerName?: string): boolean;
  /** Ends it like `end`, where no other origin enabled it, too. */
  withdraw(origin: string, end: OutboxEnd, scannerName?: string): Promise<void>;
  /**
   * Reads the pages of the auto-scans that this origin enabled, or, if there are none, of the last series that it may read;
   * and before them those of its earlier ones. Ends with the first that ends.
   * @throws `autoscan-off` while there is none, and no page of an earlier auto-scan waits for this reader
   */
  read(origin: string, which?: Which): AutoscanReader;
  /** Number of undelivered pages, also of auto-scans that are over. */
  readonly waiting: number;
  /** Stops all timers. Auto-scan must be disabled. */
  close(): Promise<void>;
}

export interface Which {
  readonly lastEventId?: string | undefined;
  readonly scannerName?: string | undefined;
  /** Whether the reader may have pages of a scanner that others enabled. Absent: of each. */
  mayRead?(scannerName: string): boolean;
}

export function createAutoscan(parts: AutoscanParts): Autoscan {
  const { clock, log, lanes, collection, store, autoscan: limits } = parts;
  const boxes = createBoxes({ clock, log, limits, collection, store });
  /** Those whose readers were not told the end yet. */
  const sessions = new Map<AutoscanSession, Lane>();
  /** Those that are on, and those that are ending. */
  const on = (scannerName?: string): AutoscanSession[] =>
    [...sessions.keys()].filter(
      ({ state, box }) => state !== 'disabled' && (scannerName === undefined || box.scannerName === scannerName),
    );
  const onIn = (lane: Lane): AutoscanSession | undefined => on().find(each => sessions.get(each) === lane);
  const ownedBy = (origin: string, scannerName?: string): AutoscanSession[] =>
    on(scannerName).filter(({ box }) => box.origins.includes(origin));
  const allOver = async (those: readonly AutoscanSession[]): Promise<void> =>
    void (await Promise.all(those.map(({ over }) => over)));

  const begin = (lane: Lane, scanner: OpenDevice, origin: string, keeping: Keeping | undefined): AutoscanSession => {
    const { current, state } = lane.scanner;
    if (!current || state !== 'open' || !isSame(current.known, scanner.known))
      throw new ScanError('no-source-open', `The scanner ${scanner.known.name} is no longer open.`);
    lane.assertFree();
    const box = boxes.open(origin, scanner.known.name, keeping);
    const session = createAutoscanSession(current, box, { ...parts, boxes, lane });
    sessions.set(session, lane);
    void session.over.then(() => sessions.delete(session));
    return session;
  };

  return {
    adopt: boxes.adopt,
    get enabled() {
      return on().length > 0;
    },
    async enable(scanner, options, origin, keeping) {
      const lane = lanes.of(scanner.known);
      while (onIn(lane)?.state === 'disabling') await onIn(lane)?.over;
      const before = onIn(lane);
      assertOneSeries(
        scanner.known.name,
        origin,
        before?.box,
        on().map(({ box }) => box),
      );
      if (before && keeping && !before.box.keeps)
        throw new ScanError(
          'busy',
          `Auto-scan is on ${scanner.known.name} already, without keeping its pages. Disable it first.`,
        );
      if (before) void before.box.store.tell({ origins: [...new Set([...before.box.origins, origin])] });
      const session = before ?? begin(lane, scanner, origin, keeping);
      // One stream has the pages that wait for this origin, and then this auto-scan's: no number comes twice.
      const { series } = session.box.outbox;
      if (!before || series.isFresh) series.startAfter(boxes.lastNumber(origin));
      // Streams of its new owner have it from now on.
      series.change.notify();
      session.enable(options);
      const waiting = keeping ? 0 : boxes.waiting([origin]);
      if (waiting === 0) return [];
      const full = waiting < limits.outboxPages ? '' : ' Feeding starts when some of them are read.';
      const text = `${pagesInWords(waiting)} of an earlier auto-scan ${waiting === 1 ? 'waits and comes' : 'wait and come'} first.${full}`;
      return [{ code: 'pages-waiting', text }];
    },
    async end(end, which = () => true) {
      const meant = on().filter(({ scanner }) => which(scanner.known));
      for (const session of meant) session.end(end);
      await allOver(meant);
    },
    scannerIn: lane => onIn(lane)?.scanner.known.name,
    keptOf: (origin, scannerName) => ownedBy(origin, scannerName).find(({ box }) => box.keeps)?.box,
    isOf: (origin, scannerName) => ownedBy(origin, scannerName).length > 0,
    async withdraw(origin, end, scannerName) {
      const meant = ownedBy(origin, scannerName);
      for (const session of meant) {
        const { origins, store: its } = session.box;
        if (origins.length === 1) session.end(end);
        else void its.tell({ origins: origins.filter(each => each !== origin) });
      }
      await allOver(meant.filter(({ state }) => state === 'disabling'));
    },
    async disable(origin, scannerName) {
      const own = origin === '' ? [] : ownedBy(origin, scannerName);
      const meant = own.length > 0 ? own : on(scannerName);
      const earlier = boxes.discardOf(origin, scannerName);
      for (const session of meant) session.discard(BY_REQUEST);
      await allOver(meant);
      const discarded = meant.reduce((sum, session) => sum + session.discarded, earlier);
      return { wasEnabled: meant.length > 0, discarded };
    },
    read(origin, { lastEventId, scannerName, mayRead = () => true } = {}) {
      // An auto-scan that is ending still delivers its last pages, unless they are discarded.
      const readable = (): AutoscanSession[] => on(scannerName).filter(({ discards }) => !discards);
      const isOwner = readable().some(({ box }) => box.origins.includes(origin));
      const offered = (): AutoscanSession[] =>
        readable().filter(({ box }) => (isOwner ? box.origins.includes(origin) : mayRead(box.scannerName)));
      const series = offered().at(-1)?.box.outbox.series;
      const live = (): AutoscanSession[] => offered().filter(({ box }) => box.outbox.series === series);
      const over = boxes.offered(origin, lastEventId, scannerName);
      if (!series && over.length === 0) throw new ScanError('autoscan-off', 'Auto-scan is disabled: enable it first.');
      const its: LiveBoxes<StoredPage> | undefined = series && {
        change: series.change,
        get boxes() {
          return live().map(({ box }) => ({
            outbox: box.outbox,
            mayRead: () => (isOwner ? box.origins.includes(origin) : mayRead(box.scannerName)),
          }));
        },
      };
      return Object.assign(readInTurn(over, its, lastEventId), { series: series?.id });
    },
    get waiting() {
      return boxes.totalWaiting;
    },
    async close() {
      await allOver([...sessions.keys()]);
      boxes.close();
    },
  };
}

/**
 * All numbers of a series are in the streams of each of its owners: so an origin has one series at a time, and an auto-scan
 * that several origins have is alone in its own.
 * @param box of auto-scan on the scanner, if it is on
 * @param all of all that are on
 * @throws `busy`
 */
function assertOneSeries(name: string, origin: string, box: Box | undefined, all: readonly Box[]): void {
  if (box?.origins.includes(origin)) return;
  const own = all.filter(({ origins }) => origins.includes(origin));
  const together = box ? all.filter(({ outbox }) => outbox.series === box.outbox.series) : [];
  if (box && (own.length > 0 || together.length > 1))
    throw new ScanError(
      'busy',
      `Auto-scan is enabled on ${name} by another web page or program. Try again when it is off.`,
    );
  const shared = own.find(({ origins }) => origins.length > 1);
  if (!box && shared)
    throw new ScanError(
      'busy',
      `Another web page or program enabled auto-scan on ${shared.scannerName}, too. Disable it there before you enable it on ${name}.`,
    );
}
