/** Pages on their way to the readers: none is dropped, a full box stops the feeding, a slow reader holds up nobody. */
import { createNotifier } from '../time/notifier.js';
import { gapEnd, type OutboxEnd } from './outboxEnd.js';

/** Delivered pages that are kept for a reader that comes back, however large they are. */
const LEAST_KEPT = 8;
/** Delivered pages stay for a connected reader until it is so many behind. */
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
      /** For a reader whose next pages are gone: the last one of these. With it, it goes on after them. */
      readonly id?: string;
    };

export interface OutboxReader<T> {
  /** Every item from its place on, then the end. Asking for the next one says that the last one was taken. */
  readonly events: AsyncGenerator<OutboxEvent<T>, void>;
  /** Whether what was not delivered has been discarded: the value of an item that was given may be gone. */
  readonly discarded: boolean;
  /** Ends the events. An item that was given and not taken counts as not delivered. */
  leave(): void;
}

export interface Outbox<T> {
  put(value: T): void;
  /** Resolves when so few pages wait that another may be fed, or at the end. */
  room(): Promise<void>;
  readonly hasRoom: boolean;
  /** The room may have changed. */
  stir(): void;
  readonly readers: number;
  /** Items that were not delivered. */
  readonly waiting: number;
  /** Of these, those that no reader is at. */
  readonly unread: number;
  /** Notes what a reader says that it had; whether there is an item for it. */
  offers(lastEventId?: string): boolean;
  /** @param lastEventId what a reader that comes back had last; items that are kept after it are given again */
  read(lastEventId?: string): OutboxReader<T>;
  /** Nothing more comes. Readers get what waits, then the end. */
  end(end: OutboxEnd): void;
  /** Lets go of everything; readers get the end at once, or after the item that they are at. @returns when nobody is at one any more */
  discard(end: OutboxEnd): Promise<void>;
}

export interface OutboxSettings<T> {
  /** The first part of the ids: which auto-scan session this is. */
  readonly series: string;
  /** Undelivered items that may wait. */
  capacity(): number;
  /** Of delivered items, so many bytes are kept for readers that come back. */
  readonly resendBytes: number;
  sizeOf(value: T): number;
  /** Called when a reader came or left. */
  onReaders(count: number): void;
  /** Called when the first reader has taken an item. */
  onDelivered(value: T): void;
  /** Lets go of an item that nobody can get any more. */
  drop(value: T): void;
  /** Called when a reader has not taken to its end what it was at when the rest was discarded. */
  onLost?(value: T): void;
  /** Items of an earlier run, in order; whoever has an id of theirs was a reader. */
  readonly found?: readonly { readonly n: number; readonly value: T; readonly delivered: boolean }[];
}

interface Entry<T> extends OutboxItem<T> {
  readonly n: number;
  delivered: boolean;
}

interface Place<T> {
  /** The number of the next item for this reader. */
  next: number;
  left: boolean;
  /** The item that its reader is at. */
  at: Entry<T> | undefined;
}

export function createOutbox<T>(settings: OutboxSettings<T>): Outbox<T> {
  const { series, found = [] } = settings;
  const entryOf = (n: number, value: T, delivered = false): Entry<T> => ({ id: `${series}-${n}`, n, value, delivered });
  const entries = found.map(({ n, value, delivered }) => entryOf(n, value, delivered));
  const places = new Set<Place<T>>();
  let count = entries.at(-1)?.n ?? 0;
  /** The last one that was given to a reader: nobody can have had more. */
  let given = count;
  let ended: OutboxEnd | undefined;
  let discarded = false;
  let emptied = (): void => undefined;
  const empty = new Promise<void>(resolve => (emptied = resolve));
  const change = createNotifier();
  const undelivered = (): number => entries.filter(entry => !entry.delivered).length;
  const hasRoom = (): boolean => undelivered() < settings.capacity();

  /** Delivered items go when they are old, and no reader is behind them, or only one that is too far behind. */
  const trim = (): void => {
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

  /** Of what was discarded, what somebody was at goes with its last reader. */
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

  /** These numbers have reached a reader. */
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

  /** The number of the first item for a reader. */
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
    get hasRoom() {
      return hasRoom();
    },
    stir: change.notify,
    get readers() {
      return places.size;
    },
    get waiting() {
      return undelivered();
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
      const place: Place<T> = { next: startOf(lastEventId), left: false, at: undefined };
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

  /** The number that a reader had last; undefined where the id is none of this box, or of an item that no reader was given. */
  function lastOf(lastEventId = ''): number | undefined {
    const [, its, digits] = /^(.+)-(\d{1,9})$/.exec(lastEventId) ?? [];
    const had = Number(digits);
    return its === series && had <= given ? had : undefined;
  }
}
