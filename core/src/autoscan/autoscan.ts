/** Auto-scan: while it is enabled, every sheet inserted into the feeder is scanned and delivered to the readers. */
import type { Driver } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { ScanCollection } from '../kept/scanCollection.js';
import type { ScanStore } from '../kept/scanStore.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { OutboxReader } from '../outbox/outbox.js';
import type { OutboxEnd } from '../outbox/outboxEnd.js';
import { readInTurn } from '../outbox/readInTurn.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { isSame, type OpenDevice } from '../scanning/openDevice.js';
import { createBoxes } from './boxes.js';
import { createAutoscanSession, type AutoscanSession, type SessionParts } from './session.js';
import { pagesInWords } from './words.js';

export type AutoscanParts = Omit<SessionParts, 'boxes' | 'lane'> & {
  readonly collection: ScanCollection;
  readonly store: ScanStore;
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

/** The origin of a web page; empty for a program. */
export interface Autoscan {
  readonly enabled: boolean;
  /**
   * While enabled, the new options apply from the next document. The scanner is open and supports the options.
   * @returns notes for the user
   * @throws `no-source-open` if the scanner was closed meanwhile, `busy` if somebody uses it
   */
  enable(scanner: OpenDevice, options: ScanOptions, origin: string): Promise<readonly ScanNote[]>;
  /**
   * Disables it and keeps the pages that no reader took. Resolves when feeding has stopped and the readers were told.
   * @param driver only if it uses a scanner of this one
   */
  end(end: OutboxEnd, driver?: Driver): Promise<void>;
  /** Disables it and discards the pages that no reader took, including earlier ones of this origin, also while off. */
  disable(origin: string): Promise<Disabled>;
  /** The scanner that it uses, also while that one is closed and opened again; undefined while it is off. */
  readonly scannerName: string | undefined;
  /** Whether it is enabled, and a page of this origin enabled it. */
  isOf(origin: string): boolean;
  /** Ends it like `end`, unless other origins enabled it, too. */
  withdraw(origin: string, end: OutboxEnd): Promise<void>;
  /** @throws `autoscan-off` while it is disabled and no page of an earlier auto-scan waits for this reader */
  read(origin: string, lastEventId?: string): AutoscanReader;
  /** Number of undelivered pages, also of auto-scans that are over. */
  readonly waiting: number;
  /** Stops all timers. Auto-scan must be disabled. */
  close(): Promise<void>;
}

const BY_REQUEST: OutboxEnd = {
  event: 'disabled',
  reason: 'requested',
  message: 'Auto-scan was turned off by request.',
};

export function createAutoscan(parts: AutoscanParts): Autoscan {
  const { clock, log, lanes, collection, store, autoscan: limits } = parts;
  const boxes = createBoxes({ clock, log, limits, collection, store });
  let last: AutoscanSession | undefined;
  /** The one that is on. */
  const now = (): AutoscanSession | undefined => (last?.state === 'disabled' ? undefined : last);

  return {
    get enabled() {
      return now() !== undefined;
    },
    async enable(scanner, options, origin) {
      if (last?.state === 'disabling') await last.over;
      const lane = lanes.of(scanner.known);
      const { current, state } = lane.scanner;
      let session = now();
      if (session && !isSame(session.scanner.known, scanner.known))
        throw new ScanError('busy', `Auto-scan is enabled on ${session.scanner.known.name}. Disable it first.`);
      if (session) void session.box.store.tell({ origins: [...new Set([...session.box.origins, origin])] });
      else if (current && state === 'open' && isSame(current.known, scanner.known))
        last = session = createAutoscanSession(current, boxes.open(origin, scanner.known.name), {
          ...parts,
          boxes,
          lane,
        });
      else throw new ScanError('no-source-open', `The scanner ${scanner.known.name} is no longer open.`);
      // One stream has the pages that wait for this origin, and then this auto-scan's: no number comes twice.
      const { outbox } = session.box;
      const before = boxes.lastNumber(origin);
      if (session.isFresh && before > outbox.last) outbox.startAfter(before);
      session.enable(options);
      const waiting = boxes.waiting([origin]);
      if (waiting === 0) return [];
      const full = waiting < limits.outboxPages ? '' : ' Feeding starts when some of them are read.';
      const text = `${pagesInWords(waiting)} of an earlier auto-scan ${waiting === 1 ? 'waits and comes' : 'wait and come'} first.${full}`;
      return [{ code: 'pages-waiting', text }];
    },
    async end(end, driver) {
      const session = now();
      if (!session || (driver && session.scanner.known.driver !== driver)) return;
      session.end(end);
      await session.over;
    },
    get scannerName() {
      return now()?.scanner.known.name;
    },
    isOf: origin => now()?.box.origins.includes(origin) === true,
    async withdraw(origin, end) {
      const session = now();
      if (!session || !this.isOf(origin)) return;
      const { box } = session;
      if (box.origins.length === 1) return this.end(end);
      await box.store.tell({ origins: box.origins.filter(each => each !== origin) });
    },
    async disable(origin) {
      const session = now();
      const discarded = boxes.discardOf(origin);
      session?.discard(BY_REQUEST);
      await session?.over;
      return { wasEnabled: session !== undefined, discarded: discarded + (session?.discarded ?? 0) };
    },
    read(origin, lastEventId) {
      const session = now();
      // An auto-scan that is ending still delivers its last pages, unless they are discarded.
      const live = session?.discards ? undefined : session?.box;
      const all = boxes.offered(origin, lastEventId);
      if (live) all.push(live.outbox);
      if (all.length === 0) throw new ScanError('autoscan-off', 'Auto-scan is disabled: enable it first.');
      return Object.assign(readInTurn(all, lastEventId), { series: live?.store.facts.series });
    },
    get waiting() {
      return boxes.totalWaiting;
    },
    async close() {
      await last?.over;
      boxes.close();
    },
  };
}
