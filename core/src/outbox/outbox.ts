/** Pages on their way to readers: none is dropped, a full outbox stops feeding, a slow reader delays no other. */
import { createNotifier } from '../time/notifier.js';
import { gapEnd, type OutboxEnd } from './outboxEnd.js';

/** Delivered pages to keep for a reader that reconnects, whatever their size. */
const LEAST_KEPT = 8;
/** Delivered pages stay for a connected reader until it is this many pages behind. */
const FAR_BEHIND = 64;

export interface OutboxItem<T> {
  /** `<enable>-<n>`. */
  readonly id: string;
  readonly value: T;
}

export type OutboxEvent<T> =
  | { readonly kind: 'item'; readonly item: OutboxItem<T> }
  | {
      readonly kind: 'end';
      readonly end: OutboxEnd;
      /** For a reader whose next pages are gone: the id of the last lost page, from which it continues. */
      readonly id?: string;
    };

export interface OutboxReader<T> {
  /** Every item from its position on, then the end. Asking for the next item confirms the last one. */
  readonly events: AsyncGenerator<OutboxEvent<T>, void>;
  /** Whether undelivered items were discarded: the value of a given item may be gone. */
  readonly discarded: boolean;
  /** Ends the events. An item that was given but not confirmed counts as undelivered. */
  leave(): void;
}

export interface Outbox<T> {
  put(value: T): void;
  /** Number of the last item that came. */
  readonly last: number;
  /** Items are numbered from the next number on. Only before the first one. */
  startAfter(number: number): void;
  /** Resolves when another item may be fed, or at the end. */
  room(): Promise<void>;
  readonly hasRoom: boolean;
  /** Call when the room may have changed. */
  stir(): void;
  readonly readers: number;
  /** Number of undelivered items. */
  readonly waiting: number;
  /** Number of those that no reader is reading. */
  readonly unread: number;
  /** Undelivered items, in order. */
  readonly undelivered: readonly T[];
  /** A client got this item without the events; all of them if absent. */
  deliver(value?: T): void;
  /** Records the last item that a reader says it got. @returns whether an item follows for it */
  offers(lastEventId?: string): boolean;
  /** @param lastEventId the last item that a returning reader got; items still kept after it are given again */
  read(lastEventId?: string): OutboxReader<T>;
  /** No more items. Readers get the waiting items, then the end. */
  end(end: OutboxEnd): void;
  /** Frees everything. Readers get the end at once, or after their current item. @returns when no item is being read */
  discard(end: OutboxEnd): Promise<void>;
}

export interface OutboxSettings<T> {
  /** First part of the ids: identifies the auto-scan session. */
  readonly series: string;
  /** Most undelivered items. */
  capacity(): number;
  /** Bytes of delivered items to keep for readers that reconnect. */
  readonly resendBytes: number;
  sizeOf(value: T): number;
  /** Called when a reader connects or leaves. */
  onReaders(count: number): void;
  /** Called when the first reader has taken an item. */
  onDelivered(value: T): void;
  /** Frees an item that no reader can get any more. */
  drop(value: T): void;
  /** Called when a reader did not finish the item it was reading when the rest was discarded. */
  onLost?(value: T): void;
  /** Items of a previous run, in order; a reader with one of their ids counts as a returning reader. */
  readonly found?: readonly { readonly n: number; readonly value: T; readonly delivered: boolean }[];
}

interface Entry<T> extends OutboxItem<T> {
  readonly n: number;
  delivered: boolean;
}

interface Place<T> {
  /** Number of the next item for this reader. */
  next: number;
  /** Numbers of items that were delivered, out of order, before it came. */
  readonly passed: ReadonlySet<number>;
  left: boolean;
  /** The item that its reader is reading. */
  at: Entry<T> | undefined;
}

export function createOutbox<T>(settings: OutboxSettings<T>): Outbox<T> {
  const { series, found = [] } = settings;
  const entryOf = (n: number, value: T, delivered = false): Entry<T> => ({ id: `${series}-${n}`, n, value, delivered });
  const entries = found.map(({ n, value, delivered }) => entryOf(n, value, delivered));
  const places = new Set<Place<T>>();
  let count = entries.at(-1)?.n ?? 0;
  /** Number before the first item. */
  let before = 0;
  /** Last item that was given to a reader: no reader can have more. */
  let given = count;
  let ended: OutboxEnd | undefined;
  let discarded = false;
  let emptied = (): void => undefined;
  const empty = new Promise<void>(resolve => (emptied = resolve));
  const change = createNotifier();
  const undelivered = (): Entry<T>[] => entries.filter(entry => !entry.delivered);
  const hasRoom = (): boolean => undelivered().length < settings.capacity();

  /**
   * Removes old delivered items that no reader still needs; a reader that is too far behind does not count. After the
   * end, no more come: the rest stays until it is discarded.
   */
  const trim = (): void => {
    if (ended) return;
    let bytes = 0;
    const old = entries
      .filter(entry => entry.delivered)
      .reverse()
      .filter((entry, at) => (bytes += settings.sizeOf(entry.value)) > settings.resendBytes && at >= LEAST_KEPT);
    for (const entry of old.reverse()) {
      if (count - entry.n < FAR_BEHIND && [...places].some(place => place.next <= entry.n)) continue;
      entries.splice(entries.indexOf(entry), 1);
      settings.drop(entry.value);
    }
  };

  const isAt = (entry: Entry<T>): boolean => [...places].some(({ at }) => at === entry);

  /** A discarded item that is being read goes with its last reader. */
  const moveOn = (place: Place<T>, taken: boolean): void => {
    const entry = place.at;
    place.at = undefined;
    if (!entry || !discarded) return;
    entry.delivered ||= taken;
    if (isAt(entry)) return;
    if (!entry.delivered) settings.onLost?.(entry.value);
    settings.drop(entry.value);
    if ([...places].every(({ at }) => at === undefined)) emptied();
  };

  const leave = (place: Place<T>): void => {
    moveOn(place, false);
    place.left = true;
    if (places.delete(place)) settings.onReaders(places.size);
    trim();
    change.notify();
  };

  /** These numbers were delivered. */
  const reached = (from: number, to: number): void => {
    for (const entry of entries) {
      if (entry.n < from || entry.n > to || entry.delivered) continue;
      entry.delivered = true;
      settings.onDelivered(entry.value);
    }
    trim();
    change.notify();
  };

  async function* follow(place: Place<T>): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      while (!place.left) {
        while (place.passed.has(place.next)) place.next++;
        const entry = entries.find(each => each.n >= place.next);
        if (entry && entry.n > place.next) {
          return yield { kind: 'end', end: gapEnd(place.next, entry.n - 1), id: `${series}-${entry.n - 1}` };
        }
        if (entry) {
          given = Math.max(given, entry.n);
          place.at = entry;
          yield { kind: 'item', item: entry };
          if (place.left) break;
          moveOn(place, true);
          place.next = entry.n + 1;
          reached(entry.n, entry.n);
        } else if (ended) {
          return yield { kind: 'end', end: ended };
        } else {
          await change.wait();
        }
      }
    } finally {
      leave(place);
    }
  }

  /** Number of the first item for a reader. */
  const startOf = (lastEventId = ''): number => {
    const had = lastOf(lastEventId);
    return had === undefined ? (entries.find(entry => !entry.delivered)?.n ?? count + 1) : had + 1;
  };

  return {
    put(value) {
      if (discarded) return settings.drop(value);
      entries.push(entryOf(++count, value));
      change.notify();
    },
    get last() {
      return count;
    },
    startAfter(number) {
      before = count = given = number;
      for (const place of places) place.next = number + 1;
    },
    get hasRoom() {
      return hasRoom();
    },
    stir: change.notify,
    get readers() {
      return places.size;
    },
    get waiting() {
      return undelivered().length;
    },
    get undelivered() {
      return undelivered().map(({ value }) => value);
    },
    deliver(value) {
      if (value === undefined) return reached(0, count);
      const entry = entries.find(each => each.value === value);
      if (entry) reached(entry.n, entry.n);
    },
    get unread() {
      return entries.filter(entry => !entry.delivered && !isAt(entry)).length;
    },
    async room() {
      while (!hasRoom() && !ended) await change.wait();
    },
    offers(lastEventId) {
      reached(0, lastOf(lastEventId) ?? 0);
      const start = startOf(lastEventId);
      return entries.some(entry => entry.n >= start);
    },
    read(lastEventId) {
      // A returning reader may not have got what it was given: it gets all of it again.
      const passed = lastOf(lastEventId) === undefined ? entries.filter(({ delivered }) => delivered) : [];
      const place: Place<T> = {
        next: startOf(lastEventId),
        passed: new Set(passed.map(({ n }) => n)),
        left: false,
        at: undefined,
      };
      places.add(place);
      reached(0, lastOf(lastEventId) ?? 0);
      settings.onReaders(places.size);
      return {
        events: follow(place),
        get discarded() {
          return discarded;
        },
        leave: () => leave(place),
      };
    },
    end(end) {
      ended ??= end;
      change.notify();
    },
    discard(end) {
      ended ??= end;
      discarded = true;
      for (const entry of entries.splice(0)) if (!isAt(entry)) settings.drop(entry.value);
      if ([...places].every(({ at }) => at === undefined)) emptied();
      change.notify();
      return empty;
    },
  };

  /**
   * Number of the last item that the reader got; undefined if the id is not of this box or was never given to a reader.
   */
  function lastOf(lastEventId = ''): number | undefined {
    const [, its, digits] = /^(.+)-(\d{1,9})$/.exec(lastEventId) ?? [];
    const had = Number(digits);
    // An id from before the numbers moved on: no item lies between.
    return its === series && had <= given ? Math.max(had, before) : undefined;
  }
}
