/** A scan on demand as a kept scan: what runs into it, and what its client sees. */
import { ScanError } from '../contract/errors.js';
import type { OnDemandRun } from '../scanning/onDemand.js';
import type { KeepPage } from '../scanning/scanRun.js';
import { createNotifier } from '../time/notifier.js';
import type { Attendance } from './attendance.js';
import type { ScanRecord } from './keptScan.js';
import { KEY_MS } from './requestKeys.js';
import type { ScanFacts, ScanOutcome } from './scanFacts.js';
import { atRisk, type PageStore } from './storedPage.js';

/** For what runs into it. */
export interface OnDemandRecord extends ScanRecord {
  readonly kind: 'scan';
  readonly store: PageStore<ScanFacts>;
  /** What ends it while it runs, or is checked before it does. */
  run: OnDemandRun | undefined;
  /** Its place in line for the scanner, from 1; undefined when it has the scanner. */
  placeInLine: number | undefined;
  /** While it waits in line: whether its client is there. */
  attendance: Attendance | undefined;
  /** Whether its pages are sent in one answer. */
  isAnswer: boolean;
  /** Stores each page, numbered after those that are there. */
  sink(onStored: () => void): { readonly keep: KeepPage; onScanned(): void };
  /** Stores that it runs. @throws `storage-failed`; it then stays as it was */
  begin(): Promise<void>;
  /** Shows clients the facts that are stored. */
  show(): void;
}

export const isOnDemandRecord = (record: ScanRecord | undefined): record is OnDemandRecord => record?.kind === 'scan';

/** @param keepMs milliseconds for which its pages are kept after its end */
export function createScanRecord(store: PageStore<ScanFacts>, keepMs: number): OnDemandRecord {
  const { id, origins, createdAt, request } = store.facts;
  const { scannerName, requestId, options } = request;
  const pages = [...store.found];
  const change = createNotifier();
  let scanned = pages.length;
  let place: number | undefined;
  /** As clients see it: what is on disk. */
  let shown: ScanOutcome = store.facts;
  const record: OnDemandRecord = {
    ...{ id, kind: 'scan', origins, createdAt, scannerName, options, store, pages },
    ...(requestId === undefined ? {} : { requestId }),
    get state() {
      return shown.state;
    },
    get code() {
      return shown.code;
    },
    get error() {
      return shown.error;
    },
    get notes() {
      return shown.notes;
    },
    get progress() {
      return { scanned, finished: pages.length, ...(place === undefined ? {} : { placeInLine: place }) };
    },
    get placeInLine() {
      return place;
    },
    set placeInLine(changed) {
      place = changed;
      change.notify();
    },
    attendance: undefined,
    changed: change.wait,
    cancel: () => record.run?.end(new ScanError('cancelled', 'The scan was cancelled.')),

    isShown: true,
    isListed: true,
    run: undefined,
    isAnswer: false,
    get isUsed() {
      return record.run !== undefined || record.isAnswer;
    },
    /** Nobody waits for a scan without pages longer than its request can be repeated: such scans could be very many. */
    get keepMs() {
      return pages.length > 0 ? keepMs : Math.min(keepMs, KEY_MS);
    },
    get bytes() {
      return pages.reduce((sum, { size }) => sum + size, 0);
    },
    get unread() {
      return pages.filter(({ delivered }) => !delivered).length;
    },
    get atRisk() {
      return record.isAnswer ? 0 : atRisk(pages);
    },

    sink(onStored) {
      const [last] = pages.slice(-1);
      const { pageNumber: after, sheet: sheets } = last?.page ?? { pageNumber: 0, sheet: 0 };
      return {
        async keep(page) {
          const { pageNumber, sheet } = page;
          const numbered = { ...page, pageNumber: after + pageNumber, sheet: sheets + sheet };
          const { stored, problem } = await store.keep(numbered, options.report);
          pages.push(stored);
          onStored();
          change.notify();
          return problem;
        },
        onScanned() {
          scanned++;
          change.notify();
        },
      };
    },
    async begin() {
      await store.begin({ state: 'running', code: undefined, error: undefined, endedAt: undefined, isLate: undefined });
      shown = store.facts;
      change.notify();
    },
    show() {
      shown = store.facts;
      scanned = pages.length;
      change.notify();
    },
    async remove() {
      const removed = store.remove();
      const had = pages.splice(0);
      change.notify();
      const problem = await removed;
      if (problem) pages.push(...had);
      return problem;
    },
  };
  return record;
}
