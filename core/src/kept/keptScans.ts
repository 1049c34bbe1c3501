/** Scans on demand that are kept: starts them, continues them, and collects those that are one answer. */
import { randomUUID } from 'node:crypto';
import { InvalidValue, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { InLine } from '../scanning/lanes.js';
import type { OnDemandRun, ScanRequest, ScanSink } from '../scanning/onDemand.js';
import type { Clock } from '../time/clock.js';
import { deferred } from '../time/wait.js';
import { createAttendance } from './attendance.js';
import type { KeptScan } from './keptScan.js';
import { createRequestKeys, KEY_MS, type RequestKeys } from './requestKeys.js';
import type { ClientScans, ScanCollection } from './scanCollection.js';
import { interrupted, outcomeOf, type ScanFacts } from './scanFacts.js';
import { createScanRecord, isOnDemandRecord, type OnDemandRecord } from './scanRecord.js';
import { withSpare } from './spareStore.js';
import type { FoundScan, ScanStore } from './scanStore.js';
import type { StoredPage } from './storedPage.js';

export interface KeepLimits {
  /** Milliseconds to keep a scan that ended. */
  readonly keepMs: number;
  /** Bytes of all kept pages but auto-scans' from which no new scan starts, unless older ones may go. */
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
  /** Milliseconds for which it waits for a scanner in use; 0 or absent: it fails with `busy`. */
  readonly waitMs?: number;
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
  readonly collection: ScanCollection;
  readonly store: Pick<ScanStore, 'create'>;
  /** For pages that find no room in the store; for all, if scans are not kept. */
  readonly spare: Pick<ScanStore, 'create'>;
  /** Whether scans outlive the process. */
  readonly keeps: boolean;
  /** Starts a scan. @throws `busy`, `not-connected` */
  scan(request: ScanRequest, sink: ScanSink): OnDemandRun;
}

/** Kept scans: what starts those on demand, and what clients may do with all. */
export interface KeptScans extends ClientScans {
  /**
   * Resolves when everything is checked, before paper moves; of a scan that waits in line, as soon as it does.
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
   * Call it when a request for this scan begins, and what it returns when that has ended: a client that has not asked for
   * 15 s has left, and its scan loses its place in line.
   */
  attend(scan: KeptScan): () => void;
  /**
   * Scans on into the same scan, after its last page.
   * @throws like `start`, `busy` while it runs, `invalid-value` for pages of an auto-scan; the scan then stays as it was
   */
  continue(scan: KeptScan): Promise<void>;
}

export interface OwnedKeptScans extends KeptScans {
  /** Scans of earlier runs of the service, oldest first, with their keys. */
  adopt(found: readonly FoundScan<ScanFacts>[]): void;
  /** Makes room for the pages of another one. @throws `storage-full`, `storage-failed` */
  makeReady(): Promise<void>;
  /** Waits for scans that are ending, finishes writing, and stops all timers. What is kept stays. */
  close(): Promise<void>;
}

export function createKeptScans(parts: KeptScansParts): OwnedKeptScans {
  const { clock, log, limits, collection, store, spare, keeps } = parts;
  const { list, find, release, totals } = collection;
  const keys = createRequestKeys<OnDemandRecord>(clock);
  const factsOf = ({ origin, waitMs: _, ...more }: KeptRequest): ScanFacts => ({
    id: randomUUID(),
    kind: 'scan',
    origins: [origin],
    createdAt: clock.now(),
    state: 'running',
    notes: [],
    ...more,
  });
  const startNew = async (request: KeptRequest): Promise<OnDemandRecord> => {
    const record = createScanRecord((keeps ? store : spare).create(factsOf(request)), limits.keepMs);
    const refused = await runInto(record, () => begin(record, parts), parts, request.waitMs).refusal;
    if (!refused) return record;
    await collection.remove(record);
    throw refused;
  };
  return {
    adopt: found => found.forEach(each => adopt(each, parts, keys)),
    makeReady: () => makeReady(parts),

    async start(request) {
      const { origin, key, body } = request;
      if (key === undefined) return { scan: await startNew(request), isNew: true };
      const before = keys.find({ origin, key, body });
      if (before) return { scan: await before, isNew: false };
      const scan = startNew(request);
      keys.add({ origin, key, body }, scan, KEY_MS);
      return { scan: await scan, isNew: true };
    },

    collect(request) {
      const facts = factsOf(request);
      const own = spare.create(facts);
      const durable = keeps ? withSpare(store.create(facts), own, collection.makeRoom, log) : undefined;
      const record = createScanRecord(durable ?? own, limits.keepMs);
      const { run } = runInto(record, () => record.begin(), parts);
      record.isAnswer = true;
      return {
        run: { ...run, over: run.over.then(asCancelled) },
        pages: record.pages,
        async end(isRead) {
          await run.over;
          record.isAnswer = false;
          if (isRead || (durable?.isSpareOnly ?? true) || record.pages.length === 0) await collection.remove(record);
          else collection.startAge(record);
        },
      };
    },

    attend({ id }) {
      const record = collection.get(id);
      const attend = isOnDemandRecord(record) ? record.attendance?.attend : record?.attend;
      return attend?.() ?? (() => undefined);
    },

    async continue({ id }) {
      const record = collection.get(id);
      if (!isOnDemandRecord(record))
        throw new InvalidValue('id', 'a scan of kind scan; to continue an auto-scan, enable auto-scan');
      if (record.isUsed) throw new ScanError('busy', 'The scan is running.');
      const { refusal } = runInto(record, () => begin(record, parts), parts);
      const left = collection.stopAge(record);
      const refused = await refusal;
      if (refused && collection.get(id)) collection.startAge(record, left);
      if (refused) throw refused;
    },

    ...{ list, find, release, totals },
    async close() {
      await collection.close();
      keys.close();
    },
  };
}

interface Started {
  readonly run: OnDemandRun;
  /** Resolves when its client may see it: before the scanner feeds, or when it waits in line. Or with why it is refused. */
  readonly refusal: Promise<ScanError | undefined>;
}

/**
 * Runs a scan into its record.
 * @param prepare the last check before paper moves, and before the scan waits in line
 * @param waitMs milliseconds for which it waits for a scanner in use
 * @throws `busy`, `not-connected`
 */
function runInto(record: OnDemandRecord, prepare: () => Promise<void>, parts: KeptScansParts, waitMs = 0): Started {
  const { clock, collection, scan } = parts;
  const accepted = deferred<ScanError | undefined>();
  let isAccepted = false;
  let accepting: Promise<void> | undefined;
  const accept = async (): Promise<void> => {
    await prepare();
    isAccepted = true;
    // Its client could not ask for it before.
    if (record.placeInLine !== undefined)
      record.attendance = createAttendance(clock, () => record.run?.end(new ScanError('cancelled', LEFT)));
    collection.add(record);
    accepted.resolve(undefined);
  };
  const { notes: before, store } = record;
  const { request, origins } = store.facts;
  const run = scan(origins[0] ? { ...request, origin: origins[0] } : request, {
    ...record.sink(collection.makeRoom),
    ...(waitMs > 0 ? { line: lineOf(record, waitMs, () => (accepting ??= accept())) } : {}),
    async onAccepted() {
      if (accepting) {
        await accepting;
        // Other scans came before it.
        await makeReady(parts);
      } else await (accepting = accept());
    },
  });
  record.run = run;
  const over = run.over.then(async failure => {
    record.attendance?.end();
    record.placeInLine = undefined;
    await accepting?.catch(() => undefined);
    if (isAccepted) {
      const notes = [...before, ...run.notes.filter(note => !before.some(({ text }) => text === note.text))];
      await store.tell({ ...outcomeOf(failure, notes), endedAt: clock.now() });
      if (!record.isAnswer) collection.startAge(record);
    }
    record.run = undefined;
    record.show();
    accepted.resolve(failure);
    return failure;
  });
  return { run: { ...run, over: collection.settles(over) }, refusal: accepted.promise };
}

/** @param accept stores the scan and shows it to its client */
function lineOf(record: OnDemandRecord, ms: number, accept: () => Promise<void>): InLine {
  return {
    ms,
    told(place) {
      record.placeInLine = place;
      if (place === undefined) return record.attendance?.end();
      accept().catch((error: unknown) => record.run?.end(error as ScanError));
    },
  };
}

const LEFT = 'The scan waited for its scanner, and its client has left.';

async function begin(record: OnDemandRecord, parts: KeptScansParts): Promise<void> {
  await makeReady(parts);
  await record.begin();
}

/**
 * Delivered scans go only for a scan that passed all other checks; pages in memory come to disk before there are more.
 * @throws `storage-full`, `storage-failed`
 */
async function makeReady({ collection, limits, keeps }: KeptScansParts): Promise<void> {
  if (!collection.makeRoom()) throw storageFull(limits.keepBytes);
  if (keeps) await collection.save();
}

function adopt(
  found: FoundScan<ScanFacts>,
  { clock, collection, limits }: KeptScansParts,
  keys: RequestKeys<OnDemandRecord>,
): void {
  const { origins, key, body, createdAt, state } = found.facts;
  const record = createScanRecord(found, limits.keepMs);
  collection.adopt(record, state === 'running' ? interrupted : undefined);
  record.show();
  const keyLeft = Math.min(KEY_MS, createdAt + KEY_MS - clock.now());
  if (key !== undefined && keyLeft > 0)
    keys.add({ origin: origins[0] ?? '', key, body }, Promise.resolve(record), keyLeft);
}

function storageFull(keepBytes: number): ScanError {
  const size = keepBytes >= 1e9 ? `${Math.round(keepBytes / 1e8) / 10} GB` : `${Math.round(keepBytes / 1e5) / 10} MB`;
  const text = `Scans that were not fetched fill the ${size} of scans.keepBytes. Fetch or delete some of them, or raise that limit.`;
  return new ScanError('storage-full', text);
}

/** The interface has no word for a scan that a stopping service ended. */
function asCancelled(failure: ScanError | undefined): ScanError | undefined {
  return failure?.code === 'service-ended' ? new ScanError('cancelled', failure.message) : failure;
}
