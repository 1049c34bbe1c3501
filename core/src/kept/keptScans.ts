/** All kept scans: starts them, gives them to their owners, and lets them go. */
import { randomUUID } from 'node:crypto';
import { InvalidValue, messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { OnDemandRun, ScanRequest, ScanSink } from '../scanning/onDemand.js';
import type { Clock } from '../time/clock.js';
import { deferred } from '../time/wait.js';
import { createAges, leftOf } from './age.js';
import {
  createScanRecord,
  interrupted,
  outcomeOf,
  type KeptScan,
  type OtherScans,
  type ScanFacts,
  type ScanRecord,
} from './keptScan.js';
import { createRequestKeys, KEY_MS } from './requestKeys.js';
import { makeRoom, storageFull } from './room.js';
import { withSpare } from './spareStore.js';
import type { ScanStore } from './scanStore.js';
import { atRisk, type StoredPage } from './storedPage.js';

export interface KeepLimits {
  /** Milliseconds to keep a scan that ended. */
  readonly keepMs: number;
  /** Bytes of all kept pages from which no new scan starts, unless older ones may go. */
  readonly keepBytes: number;
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
  /** Of all owners. */
  readonly totals: {
    readonly scans: number;
    readonly bytes: number;
    /** Pages that are lost if the service ends now; not those of an answer that is being sent. */
    readonly atRisk: number;
  };
  /** @returns undefined for the scan of another owner, too */
  find(origin: string, id: string): KeptScan | undefined;
  /**
   * Its client has everything.
   * @throws `busy` while it runs or is sent in one answer, `storage-failed` if it cannot be removed; it then stays
   */
  release(scan: KeptScan): Promise<void>;
  /** Waits for scans that are ending, finishes writing, and stops all timers. What is kept stays. */
  close(): Promise<void>;
}

export function createKeptScans(parts: KeptScansParts): KeptScans {
  const { clock, log, limits, store, spool, others } = parts;
  const all = new Map<string, ScanRecord>();
  /** What ends the scans that run, or that are checked before they do. */
  const runs = new Map<string, OnDemandRun>();
  /** Scans whose pages are sent in one answer. */
  const answers = new Set<string>();
  const ages = createAges(clock);
  const keys = createRequestKeys<ScanRecord>(clock);
  /** Scans that run, and folders that are removed. */
  const pending = new Set<Promise<unknown>>();
  const settles = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };
  const isUsed = ({ id }: KeptScan): boolean => runs.has(id) || answers.has(id);

  const remove = (record: ScanRecord): Promise<ScanError | undefined> => {
    all.delete(record.id);
    ages.stop(record.id);
    return settles(record.remove());
  };

  const letGo = (record: ScanRecord): boolean => {
    if (isUsed(record)) return false;
    void remove(record);
    return true;
  };
  const hasRoom = (): boolean => makeRoom([...all.values()], limits.keepBytes, letGo);

  /** Nobody waits for a scan without pages longer than its request can be repeated: such scans could be very many. */
  const keepMsOf = (pages: readonly StoredPage[]): number =>
    pages.length > 0 ? limits.keepMs : Math.min(limits.keepMs, KEY_MS);

  /** @param left milliseconds until it goes */
  const startAge = (record: ScanRecord, left = keepMsOf(record.pages)): void => {
    const expire = (): void => {
      const { length } = record.pages.filter(({ delivered }) => !delivered);
      if (length > 0)
        log.warn(
          `A scan on ${record.scannerName} was discarded after ${limits.keepMs / 3_600_000} hours: ${length} of its pages were not fetched.`,
        );
      void remove(record);
    };
    ages.start(record.id, left, expire);
  };

  /**
   * Runs a scan into its record.
   * @param prepare the last check before paper moves
   * @returns what refused it before it fed, if anything did
   * @throws `busy`, `not-connected`
   */
  const run = (record: ScanRecord, prepare: () => Promise<void>): Started => {
    const accepted = deferred<ScanError | undefined>();
    let isAccepted = false;
    const { notes: before } = record;
    const its = parts.scan(record.facts.request, {
      ...record.sink(hasRoom),
      async onAccepted() {
        await prepare();
        isAccepted = true;
        all.set(record.id, record);
        accepted.resolve(undefined);
      },
    });
    runs.set(record.id, its);
    const over = its.over.then(async failure => {
      if (isAccepted) {
        const notes = [...before, ...its.notes.filter(note => !before.some(({ text }) => text === note.text))];
        await record.store.tell({ ...outcomeOf(failure, notes), endedAt: clock.now() });
        if (!answers.has(record.id)) startAge(record);
      }
      runs.delete(record.id);
      record.show();
      accepted.resolve(failure);
      return failure;
    });
    return { run: { ...its, over: settles(over) }, refusal: accepted.promise };
  };

  /** Delivered scans go only for a scan that passed all other checks; pages in memory come to disk before there are more. */
  const begin = async (record: ScanRecord): Promise<void> => {
    if (!hasRoom()) throw storageFull(limits.keepBytes);
    for (const each of all.values()) await each.store.save();
    await record.begin();
  };

  const startNew = async ({ origin, request, key, body }: KeptRequest): Promise<ScanRecord> => {
    const keyed = { ...(key === undefined ? {} : { key }), ...(body === undefined ? {} : { body }) };
    const record = createScanRecord(store.create(factsOf({ origin, request, ...keyed })));
    const { refusal } = run(record, () => begin(record));
    const refused = await refusal;
    if (!refused) return record;
    await remove(record);
    throw refused;
  };

  const factsOf = (given: KeptRequest): ScanFacts => ({
    id: randomUUID(),
    createdAt: clock.now(),
    state: 'running',
    notes: [],
    ...given,
  });

  for (const found of [...store.found].sort((a, b) => a.facts.createdAt - b.facts.createdAt)) {
    const { id, origin, key, body, createdAt, state } = found.facts;
    const isCut = state === 'running';
    const now = clock.now();
    const { left, changed } = leftOf(isCut ? {} : found.facts, keepMsOf(found.found), now);
    if (changed) void found.tell({ ...changed, ...(isCut ? interrupted : {}) });
    const record = createScanRecord(found);
    all.set(id, record);
    startAge(record, left);
    const keyLeft = Math.min(KEY_MS, createdAt + KEY_MS - now);
    if (key !== undefined && keyLeft > 0) keys.add({ origin, key, body }, Promise.resolve(record), keyLeft);
  }

  return {
    async start(request) {
      const { origin, key, body } = request;
      if (key === undefined) return { scan: await startNew(request), isNew: true };
      const before = keys.find({ origin, key, body });
      if (before) return { scan: await before, isNew: false };
      const scan = startNew(request);
      keys.add({ origin, key, body }, scan, KEY_MS);
      return { scan: await scan, isNew: true };
    },

    collect({ origin, request }) {
      const facts = factsOf({ origin, request });
      const spare = spool.create(facts);
      const durable = store.isDurable ? withSpare(store.create(facts), spare, hasRoom, log) : undefined;
      const record = createScanRecord(durable ?? spare);
      const { run: its } = run(record, () => record.begin());
      answers.add(record.id);
      return {
        run: { ...its, over: its.over.then(asCancelled) },
        pages: record.pages,
        async end(isRead) {
          await its.over;
          answers.delete(record.id);
          if (isRead || (durable?.isSpareOnly ?? true) || record.pages.length === 0) await remove(record);
          else startAge(record);
        },
      };
    },

    async continue(scan) {
      const record = all.get(scan.id);
      if (!record) throw new InvalidValue('id', 'a scan of kind scan; to continue an auto-scan, enable auto-scan');
      if (isUsed(record)) throw new ScanError('busy', 'The scan is running.');
      const { refusal } = run(record, () => begin(record));
      const left = ages.stop(record.id);
      const refused = await refusal;
      if (refused && all.has(record.id)) startAge(record, left);
      if (refused) throw refused;
    },

    cancel: scan => runs.get(scan.id)?.end(new ScanError('cancelled', 'The scan was cancelled.')),

    get totals() {
      const records = [...all.values()];
      const sum = (of: (record: ScanRecord) => number): number => records.reduce((total, each) => total + of(each), 0);
      return {
        scans: records.length,
        bytes: sum(({ bytes }) => bytes),
        atRisk: sum(record => (answers.has(record.id) ? 0 : atRisk(record.pages))),
      };
    },
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
      if (isUsed(scan))
        throw new ScanError(
          'busy',
          scan.state === 'running'
            ? 'The scan is running. Cancel it first.'
            : 'The scan has ended, and its answer is on its way to the client. Try again when it has arrived.',
        );
      const problem = record ? await remove(record) : await others.release(scan);
      if (!record || !problem) return;
      all.set(record.id, record);
      startAge(record);
      throw problem;
    },

    async close() {
      while (pending.size > 0) await Promise.all(pending);
      ages.close();
      keys.close();
      for (const each of all.values()) {
        await each.store.save().catch((error: unknown) => log.warn(`Pages are lost. ${messageOf(error)}`));
        await each.store.settled();
      }
    },
  };
}

interface Started {
  readonly run: OnDemandRun;
  /** Resolves before the scanner feeds, or with why it does not. */
  readonly refusal: Promise<ScanError | undefined>;
}

/** The interface has no word for a scan that a stopping service ended. */
function asCancelled(failure: ScanError | undefined): ScanError | undefined {
  return failure?.code === 'service-ended' ? new ScanError('cancelled', failure.message) : failure;
}
