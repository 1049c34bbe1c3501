/** Everything that was scanned and waits for its clients: on demand, and by auto-scan. */
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { createAges, leftOf } from './age.js';
import type { KeptScan, ScanRecord } from './keptScan.js';
import type { KeptFacts } from './scanFacts.js';

/** What clients may do with kept scans. */
export interface ClientScans {
  /**
   * The caller's own, oldest first; an auto-scan when it is over, while pages of it are undelivered.
   */
  list(origin: string, part?: PartOfList): readonly KeptScan[];
  /** @returns undefined for the scan of another owner, too */
  find(origin: string, id: string): KeptScan | undefined;
  /**
   * Its client has everything. No effect if it is gone.
   * @throws `busy` while it runs or is sent in one answer, `storage-failed` if it cannot be removed; it then stays
   */
  release(id: string): Promise<void>;
  /** Of all owners. */
  totals(): {
    /** Scans on demand, and their bytes. */
    readonly scans: number;
    readonly bytes: number;
    /** Pages that are lost if the service ends now, those of auto-scans too; not those of an answer that is being sent. */
    readonly atRisk: number;
  };
}

export interface PartOfList {
  /** Those that follow this one. If it is gone, those of its moment are listed again, rather than left out. */
  readonly after?: Pick<KeptScan, 'id' | 'createdAt'> | undefined;
  /** At most so many. */
  readonly limit?: number | undefined;
}

export interface ScanCollection extends ClientScans {
  /** In the order in which they came. */
  readonly records: readonly ScanRecord[];
  /** From now on its owners can find it, an auto-scan when it is over. */
  add(record: ScanRecord): void;
  /**
   * A scan of an earlier run of the service: its time goes on.
   * @param cut what to store if that run ended before the scan did; otherwise undefined
   */
  adopt(record: ScanRecord, cut: Partial<KeptFacts> | undefined): void;
  /** Whosever it is. */
  get(id: string): ScanRecord | undefined;
  /** It is removed after its time. @param left milliseconds */
  startAge(record: ScanRecord, left?: number): void;
  /** @returns milliseconds that were left */
  stopAge(record: ScanRecord): number;
  /**
   * Lets delivered scans go, in this order, until there is room for another.
   * @returns whether there is
   */
  makeRoom(): boolean;
  /** Nobody finds it any more. Never rejects. @returns why it is still on disk, if it is */
  remove(record: ScanRecord): Promise<ScanError | undefined>;
  /** Brings pages that are only in memory to disk. @throws `storage-failed` */
  save(): Promise<void>;
  /** `close` waits for this. */
  settles<T>(work: Promise<T>): Promise<T>;
  /** Waits for what is ending, finishes writing, and stops all timers. What is kept stays. */
  close(): Promise<void>;
}

export interface ScanCollectionParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of pages on demand from which no new scan starts, unless older ones may go. */
  readonly keepBytes: number;
}

export function createScanCollection({ clock, log, keepBytes }: ScanCollectionParts): ScanCollection {
  const all = new Map<string, ScanRecord>();
  /** Those that are used, or were just added. Of the others the bytes do not change: there may be very many. */
  const live = new Set<ScanRecord>();
  const resting = createSum();
  const listed = createList();
  const put = (record: ScanRecord): void => {
    if (!all.has(record.id)) listed.add(record);
    all.set(record.id, record);
    live.add(record);
  };
  const ages = createAges(clock);
  const pending = new Set<Promise<unknown>>();
  /** Those of which the log says it. */
  const lost = new Set<ScanRecord>();
  const settles = <T>(work: Promise<T>): Promise<T> => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };
  const remove = (record: ScanRecord, isTaken = false): Promise<ScanError | undefined> => {
    if (all.delete(record.id)) listed.remove(record);
    live.delete(record);
    resting.remove(record);
    ages.stop(record.id);
    return settles(record.remove(isTaken));
  };
  const startAge = (record: ScanRecord, left = record.keepMs): void => {
    live.delete(record);
    resting.add(record);
    ages.start(record.id, left, () => {
      if (record.unread > 0) log.warn(discarded(record));
      void remove(record);
    });
  };

  const bytesNow = (): number => [...live].reduce((sum, { bytes }) => sum + bytes, resting.bytes);

  return {
    get records() {
      return [...all.values()];
    },
    add: put,
    adopt(record, cut) {
      const { store, keepMs } = record;
      const { left, changed } = leftOf(cut ? {} : store.facts, keepMs, clock.now());
      if (changed) void store.tell({ ...changed, ...cut });
      put(record);
      startAge(record, left);
    },
    get: id => all.get(id),
    startAge,
    stopAge(record) {
      resting.remove(record);
      live.add(record);
      return ages.stop(record.id);
    },

    makeRoom() {
      let left = bytesNow();
      if (left < keepBytes) return true;
      for (const record of all.values()) {
        if (left < keepBytes) break;
        const { bytes, unread, isUsed } = record;
        if (isUsed || unread > 0 || bytes === 0) continue;
        void remove(record);
        left -= bytes;
      }
      return left < keepBytes;
    },
    list: listed.part,
    find(origin, id) {
      const record = all.get(id);
      return record?.isShown && record.origins.includes(origin) ? record : undefined;
    },

    totals() {
      const records = [...all.values()];
      const sum = (of: (record: ScanRecord) => number): number => records.reduce((total, each) => total + of(each), 0);
      return {
        scans: records.filter(({ kind }) => kind === 'scan').length,
        bytes: bytesNow(),
        atRisk: sum(({ atRisk }) => atRisk),
      };
    },

    remove: record => remove(record),
    async release(id) {
      const record = all.get(id);
      if (!record) return;
      if (record.isUsed) throw new ScanError('busy', record.state === 'running' ? RUNS : IS_SENT);
      const problem = await remove(record, true);
      await record.store.settled();
      if (!problem) return;
      put(record);
      startAge(record);
      throw problem;
    },
    async save() {
      for (const { store } of all.values()) if (!store.isSaved()) await store.save();
    },
    settles,
    async close() {
      while (pending.size > 0) await Promise.all(pending);
      ages.close();
      for (const record of all.values()) {
        const { store } = record;
        await store.save().catch((error: unknown) => {
          if (!lost.has(record)) log.warn(`Pages are lost with the service. ${messageOf(error)}`);
          lost.add(record);
        });
        await store.settled();
      }
    },
  };
}

const RUNS = 'The scan is running. Cancel it first.';
const IS_SENT = 'The scan has ended, and its answer is on its way to the client. Try again when it has arrived.';

const discarded = ({ kind, scannerName, keepMs, unread }: ScanRecord): string =>
  `${kind === 'scan' ? 'A scan' : 'An auto-scan'} on ${scannerName} was discarded after ${keepMs / 3_600_000} hours: ${unread} of its pages were not fetched.`;

/** Records oldest first, those of one moment as they came. */
function createList() {
  const records: ScanRecord[] = [];
  /** @returns the place of the first that follows this one */
  const behind = ({ id, createdAt }: Pick<KeptScan, 'id' | 'createdAt'>): number => {
    const at = records.findIndex(each => each.id === id);
    if (at >= 0) return at + 1;
    const later = records.findIndex(each => each.createdAt >= createdAt);
    return later < 0 ? records.length : later;
  };
  return {
    add(record: ScanRecord): void {
      // Nearly always at the end: the clock was set back, or it is there again.
      const before = records.findLastIndex(({ createdAt }) => createdAt <= record.createdAt);
      records.splice(before + 1, 0, record);
    },
    remove(record: ScanRecord): void {
      const at = records.indexOf(record);
      if (at >= 0) records.splice(at, 1);
    },
    part(origin: string, { after, limit = Infinity }: PartOfList = {}): ScanRecord[] {
      const found: ScanRecord[] = [];
      for (let at = after ? behind(after) : 0; at < records.length && found.length < limit; at++) {
        const record = records[at]!;
        if (record.isListed && record.origins.includes(origin)) found.push(record);
      }
      return found;
    },
  };
}

/** The bytes of records. */
function createSum() {
  const counted = new Map<ScanRecord, number>();
  let bytes = 0;
  const remove = (record: ScanRecord): void => {
    bytes -= counted.get(record) ?? 0;
    counted.delete(record);
  };
  return {
    get bytes() {
      return bytes;
    },
    /** With the bytes that it has now. */
    add(record: ScanRecord): void {
      remove(record);
      counted.set(record, record.bytes);
      bytes += record.bytes;
    },
    remove,
  };
}
