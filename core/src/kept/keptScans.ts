/** All kept scans: starts them, gives them to their owners, and lets them go. */
import { randomUUID } from 'node:crypto';
import { InvalidValue, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { OnDemandRun, ScanRequest, ScanSink } from '../scanning/onDemand.js';
import type { Clock } from '../time/clock.js';
import { deferred } from '../time/wait.js';
import { createScanRecord, outcomeOf, type KeptScan, type ScanFacts, type ScanRecord } from './keptScan.js';
import { withSpare } from './spareStore.js';
import type { PageStore, StoredPage } from './storedPage.js';

/** How long a client may repeat a request with its key. */
export const KEY_MS = 3_600_000;

export interface KeepLimits {
  /** Milliseconds to keep a scan that ended. */
  readonly keepMs: number;
  /** Bytes of all kept pages from which no new scan starts, unless older ones may go. */
  readonly keepBytes: number;
}

/** Where scans are kept. */
export interface ScanStore {
  /** Whether they outlive the process. */
  readonly isDurable: boolean;
  /** Scans of earlier runs of the service. */
  readonly found: readonly PageStore<ScanFacts>[];
  create(facts: ScanFacts): PageStore<ScanFacts>;
}

export interface KeptRequest {
  /** Of the web page that asks; empty for a program. */
  readonly origin: string;
  readonly request: ScanRequest;
  /** The client's key: the same key within an hour means the same scan. */
  readonly key?: string;
  /** The request's text, to compare with that of another request with this key. */
  readonly body?: string;
}

/** A scan for one answer. */
export interface Collecting {
  readonly run: OnDemandRun;
  /** The pages so far, in order. */
  readonly pages: readonly StoredPage[];
  /**
   * Call once, when the scan is over.
   * @param isRead whether the client has the whole answer; otherwise its pages stay, where scans are kept
   */
  end(isRead: boolean): Promise<void>;
}

/** Scans that another part of the service keeps. */
export interface OtherScans {
  /** Those with undelivered pages. */
  list(origin: string): readonly KeptScan[];
  find(origin: string, id: string): KeptScan | undefined;
  /** No effect if the scan is not one of these. */
  release(scan: KeptScan): Promise<void>;
}

export interface KeptScansParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: KeepLimits;
  readonly store: ScanStore;
  /** For pages that find no room in the store. */
  readonly spool: Omit<ScanStore, 'found'>;
  readonly others: OtherScans;
  /** Starts a scan. @throws `busy`, `not-connected` */
  scan(request: ScanRequest, sink: ScanSink): OnDemandRun;
}

export interface KeptScans {
  /**
   * Resolves when everything is checked, before paper moves.
   * @returns the scan, and whether this request started it
   * @throws `storage-full` if older scans fill the room and none may go, `invalid-value` if the key was used for
   *   another request, and what a scan throws before it feeds
   */
  start(request: KeptRequest): Promise<{ readonly scan: KeptScan; readonly isNew: boolean }>;
  /**
   * Starts a scan whose client waits for all of it in one answer. It is never refused for lack of room, and does not
   * fail for its disk: its pages then wait in the spool.
   * @throws `busy`, `not-connected`
   */
  collect(request: Pick<KeptRequest, 'origin' | 'request'>): Collecting;
  /**
   * Scans on into the same scan, after its last page.
   * @throws like `start`, `busy` while it runs, `invalid-value` for pages of an auto-scan; the scan then stays as it was
   */
  continue(scan: KeptScan): Promise<void>;
  /** Ends it after the sheet in the path. No effect unless it runs. */
  cancel(scan: KeptScan): void;
  /** The caller's own, oldest first. */
  list(origin: string): readonly KeptScan[];
  /** @returns undefined for the scan of another owner, too */
  find(origin: string, id: string): KeptScan | undefined;
  /** Its client has everything. @throws `busy` while it runs */
  release(scan: KeptScan): Promise<void>;
  /** Waits for scans that are ending, finishes writing, and stops all timers. What is kept stays. */
  close(): Promise<void>;
}

export function createKeptScans(parts: KeptScansParts): KeptScans {
  const { clock, log, limits, store, spool, others } = parts;
  const all = new Map<string, ScanRecord>();
  const runs = new Map<string, OnDemandRun>();
  const ages = new Map<string, () => void>();
  const keys = new Map<string, Keyed>();
  /** Scans that run, and folders that are removed. */
  const pending = new Set<Promise<unknown>>();
  const settles = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };

  const remove = (record: ScanRecord): Promise<void> => {
    all.delete(record.id);
    ages.get(record.id)?.();
    ages.delete(record.id);
    return settles(record.store.remove());
  };

  /** Lets delivered scans go, oldest first, until there is room. @returns whether there is */
  const makeRoom = (): boolean => {
    let bytes = [...all.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const record of all.values()) {
      if (bytes < limits.keepBytes) break;
      if (runs.has(record.id) || !record.isDelivered) continue;
      bytes -= record.bytes;
      void remove(record);
    }
    return bytes < limits.keepBytes;
  };

  const assertRoom = (): void => {
    if (makeRoom()) return;
    const text = `Scans that were not fetched fill the ${inWords(limits.keepBytes)} of scans.keepBytes. Fetch or delete some of them, or raise that limit.`;
    throw new ScanError('storage-full', text);
  };

  /** If the system clock was set back, the wait restarts now and does not get longer. */
  const startAge = (record: ScanRecord): void => {
    const endedAt = record.facts.endedAt ?? clock.now();
    const left = Math.min(limits.keepMs, endedAt + limits.keepMs - clock.now());
    const cancel = clock.after(Math.max(0, left), () => {
      const { length } = record.pages.filter(({ delivered }) => !delivered);
      if (length > 0)
        log.warn(
          `A scan on ${record.scannerName} was discarded after ${limits.keepMs / 3_600_000} hours: ${length} of its pages were not fetched.`,
        );
      void remove(record);
    });
    ages.set(record.id, cancel);
  };

  /**
   * Runs a scan into its record.
   * @returns what refused it before it fed, if anything did
   */
  const run = (record: ScanRecord, prepare: () => Promise<void>): Started => {
    const accepted = deferred<ScanError | undefined>();
    let isAccepted = false;
    const { notes: before } = record;
    const its = parts.scan(record.facts.request, {
      ...record.sink(makeRoom),
      async onAccepted() {
        await prepare();
        isAccepted = true;
        all.set(record.id, record);
        accepted.resolve(undefined);
      },
    });
    runs.set(record.id, its);
    const ended = its.over.then(async failure => {
      runs.delete(record.id);
      if (isAccepted) {
        const notes = [...before, ...its.notes.filter(note => !before.some(({ text }) => text === note.text))];
        const told = record.tell(outcomeOf(failure, notes), clock.now());
        startAge(record);
        await told;
      }
      accepted.resolve(failure);
      return failure;
    });
    const over = settles(ended);
    return { run: { ...its, over }, refusal: accepted.promise };
  };

  const startNew = async ({ origin, request, key, body }: KeptRequest): Promise<ScanRecord> => {
    assertRoom();
    const record = createScanRecord(
      store.create({
        ...newFacts({ origin, request }),
        ...(key === undefined ? {} : { key }),
        ...(body === undefined ? {} : { body }),
      }),
    );
    const { refusal } = run(record, () => record.store.begin());
    const refused = await refusal;
    if (!refused) return record;
    await record.store.remove();
    throw refused;
  };

  const newFacts = (given: Pick<KeptRequest, 'origin' | 'request'>): ScanFacts => ({
    id: randomUUID(),
    createdAt: clock.now(),
    state: 'running',
    notes: [],
    ...given,
  });

  /** @param left milliseconds for which the key still counts */
  const addKey = (name: string, scan: Promise<ScanRecord>, body: string | undefined, left: number): void => {
    keys.set(name, { scan, body });
    const forget = (): void => void (keys.get(name)?.scan === scan && keys.delete(name));
    const cancel = clock.after(left, forget);
    scan.catch(() => {
      cancel();
      forget();
    });
  };

  for (const found of [...store.found].sort((a, b) => a.facts.createdAt - b.facts.createdAt)) {
    const record = createScanRecord(found);
    const { id, origin, key, body, createdAt, state, notes } = found.facts;
    all.set(id, record);
    if (state === 'running') {
      const error = 'The service ended during the scan. Its pages are kept: continue it, or scan the rest again.';
      void record.tell({ state: 'interrupted', code: 'service-ended', error, notes }, clock.now());
    }
    startAge(record);
    const left = Math.min(KEY_MS, createdAt + KEY_MS - clock.now());
    if (key !== undefined && left > 0) addKey(nameOf(origin, key), Promise.resolve(record), body, left);
  }

  return {
    async start(request) {
      const { origin, key, body } = request;
      if (key === undefined) return { scan: await startNew(request), isNew: true };
      const name = nameOf(origin, key);
      const before = keys.get(name);
      if (before) {
        if (before.body !== body)
          throw new InvalidValue('Idempotency-Key', 'a key that was not used for another request within an hour');
        return { scan: await before.scan, isNew: false };
      }
      const scan = startNew(request);
      addKey(name, scan, body, KEY_MS);
      return { scan: await scan, isNew: true };
    },

    collect(request) {
      const facts = newFacts(request);
      const spare = spool.create(facts);
      const durable = store.isDurable && makeRoom() ? withSpare(store.create(facts), spare, log) : undefined;
      const record = createScanRecord(durable ?? spare);
      const { run: its } = run(record, () => record.store.begin());
      return {
        run: its,
        pages: record.pages,
        async end(isRead) {
          await its.over;
          if (isRead || (durable?.isSpareOnly ?? true) || record.pages.length === 0) await remove(record);
        },
      };
    },

    async continue(scan) {
      const record = all.get(scan.id);
      if (!record) throw new InvalidValue('id', 'a scan of kind scan; to continue an auto-scan, enable auto-scan');
      if (runs.has(record.id)) throw new ScanError('busy', 'The scan is running.');
      assertRoom();
      const { refusal } = run(record, async () => {
        ages.get(record.id)?.();
        await record.tell({ state: 'running', notes: record.notes });
      });
      const refused = await refusal;
      if (refused) throw refused;
    },

    cancel: scan => runs.get(scan.id)?.end(new ScanError('cancelled', 'The scan was cancelled.')),

    list: origin =>
      [...[...all.values()].filter(({ facts }) => facts.origin === origin), ...others.list(origin)].sort(
        (a, b) => a.createdAt - b.createdAt,
      ),

    find: (origin, id) => {
      const record = all.get(id);
      return record?.facts.origin === origin ? record : others.find(origin, id);
    },

    async release(scan) {
      const record = all.get(scan.id);
      if (runs.has(scan.id)) throw new ScanError('busy', 'The scan is running. Cancel it first.');
      if (record) await remove(record);
      else await others.release(scan);
    },

    async close() {
      await Promise.all(pending);
      for (const cancel of ages.values()) cancel();
      await Promise.all([...all.values()].map(each => each.store.settled()));
    },
  };
}

interface Keyed {
  readonly scan: Promise<ScanRecord>;
  readonly body: string | undefined;
}

interface Started {
  readonly run: OnDemandRun;
  /** Resolves before the scanner feeds, or with why it does not. */
  readonly refusal: Promise<ScanError | undefined>;
}

const nameOf = (origin: string, key: string): string => `${origin}
${key}`;

function inWords(bytes: number): string {
  return bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e5) / 10} MB`;
}
