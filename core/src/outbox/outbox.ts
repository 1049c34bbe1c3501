/** Pages on their way to readers: none is dropped, a full outbox stops feeding, a slow reader delays no other. */
import type { OutboxEnd } from './outboxEnd.js';
import { createPlace, type Contents, type Entry, type Place, type ReadingPlace, type Start } from './place.js';
import type { Series } from './series.js';

/** Delivered pages to keep for a reader that reconnects, whatever their size. */
const LEAST_KEPT = 8;
/** Delivered pages stay for a connected reader until it is this many pages behind. */
const FAR_BEHIND = 64;

export interface Outbox<T> {
  readonly series: Series;
  /** @param number taken from the series; above that of all items */
  put(number: number, value: T): void;
  /** Number of the last item that came. */
  readonly last: number;
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
  /** For a new reader. @param lastEventId the last item that it got; items still kept after it are given again */
  place(lastEventId?: string): Place<T>;
  /** No more items. Readers get the waiting items, then the end. */
  end(end: OutboxEnd): void;
  /** Frees everything. Readers get the end at once, or after their current item. @returns when no item is being read */
  discard(end: OutboxEnd): Promise<void>;
}

export interface OutboxSettings<T> {
  /** Of the auto-scans that are on together. */
  readonly series: Series;
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
  /** Numbers of items of a previous run that cannot be read: readers are told that they are gone. */
  readonly lost?: readonly number[];
}

export function createOutbox<T>(settings: OutboxSettings<T>): Outbox<T> {
  const { series } = settings;
  const { change } = series;
  const contents = contentsOf(settings);
  const { entries } = contents;
  const places = new Set<ReadingPlace<T>>();
  let last = entries.at(-1)?.n ?? 0;
  let emptied = (): void => undefined;
  const empty = new Promise<void>(resolve => (emptied = resolve));
  const undelivered = (): Entry<T>[] => entries.filter(entry => !entry.delivered);
  const hasRoom = (): boolean => undelivered().length < settings.capacity();
  const isAt = (entry: Entry<T>): boolean => [...places].some(({ at }) => at === entry);
  const isQuiet = (): boolean => [...places].every(({ at }) => at === undefined);

  const trim = (): void => {
    if (contents.ended) return;
    for (const entry of tooMany(entries, settings)) {
      if (last - entry.n < FAR_BEHIND && [...places].some(({ needs }) => needs(entry.n))) continue;
      entries.splice(entries.indexOf(entry), 1);
      contents.gone.push({ n: entry.n, delivered: true });
      settings.drop(entry.value);
    }
  };

  /** These were delivered. */
  const reached = (those: readonly Entry<T>[]): void => {
    for (const entry of those.filter(each => !each.delivered)) {
      entry.delivered = true;
      settings.onDelivered(entry.value);
    }
    trim();
    change.notify();
  };

  const passed = (entry: Entry<T>, taken: boolean): void => {
    if (contents.discarded) {
      // It goes with its last reader.
      entry.delivered ||= taken;
      if (isAt(entry)) return;
      if (!entry.delivered) settings.onLost?.(entry.value);
      settings.drop(entry.value);
      if (isQuiet()) emptied();
    } else if (taken) reached([entry]);
  };

  /** What a reader with this id has of this box; the id may be of another box of the series. */
  const hadBy = (lastEventId: string | undefined): Entry<T>[] => {
    const had = numberOf(lastEventId, series);
    const isOwn = [...entries, ...contents.gone].some(({ n }) => n === had);
    return had !== undefined && isOwn ? entries.filter(({ n }) => n <= had) : [];
  };

  return {
    series,
    put(number, value) {
      last = number;
      if (contents.discarded) return settings.drop(value);
      entries.push({ id: `${series.id}-${number}`, n: number, value, delivered: false });
      change.notify();
    },
    get last() {
      return last;
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
    deliver: value => reached(entries.filter(each => value === undefined || each.value === value)),
    get unread() {
      return entries.filter(entry => !entry.delivered && !isAt(entry)).length;
    },
    async room() {
      while (!hasRoom() && !contents.ended) await change.wait();
    },
    offers(lastEventId) {
      reached(hadBy(lastEventId));
      const { from, passed: gone } = startOf(contents, numberOf(lastEventId, series));
      return entries.some(({ n }) => n >= from && !gone.has(n));
    },
    place(lastEventId) {
      reached(hadBy(lastEventId));
      const place = createPlace<T>({
        ...{ series: series.id, contents, start: startOf(contents, numberOf(lastEventId, series)) },
        onGiven: ({ n }) => series.gave(n),
        onPassed: passed,
        onLeft(its) {
          if (places.delete(its)) settings.onReaders(places.size);
          trim();
          change.notify();
        },
      });
      places.add(place);
      settings.onReaders(places.size);
      return place;
    },
    end(end) {
      contents.ended ??= end;
      change.notify();
    },
    discard(end) {
      contents.ended ??= end;
      contents.discarded = true;
      for (const entry of entries.splice(0)) if (!isAt(entry)) settings.drop(entry.value);
      if (isQuiet()) emptied();
      change.notify();
      return empty;
    },
  };
}

/** Of a previous run. */
function contentsOf<T>({ series, found = [], lost = [] }: OutboxSettings<T>): Contents<T> {
  return {
    entries: found.map(each => ({ id: `${series.id}-${each.n}`, ...each })),
    gone: lost.map(n => ({ n, delivered: false })),
    ended: undefined,
    discarded: false,
  };
}

/** Old delivered items beyond what is kept for readers that come back, oldest first. After the end, no more come. */
function tooMany<T>(
  entries: readonly Entry<T>[],
  { resendBytes, sizeOf }: Pick<OutboxSettings<T>, 'resendBytes' | 'sizeOf'>,
): Entry<T>[] {
  let bytes = 0;
  return entries
    .filter(({ delivered }) => delivered)
    .toReversed()
    .filter(({ value }, at) => (bytes += sizeOf(value)) > resendBytes && at >= LEAST_KEPT)
    .toReversed();
}

/**
 * A reader without a number gets what nobody has. A returning one may not have got what it was given: it gets all after
 * its number again, and what nobody has.
 */
function startOf<T>({ entries, gone }: Contents<T>, had: number | undefined): Start {
  const has = [
    ...entries.filter(({ n, delivered }) => delivered && n <= (had ?? n)),
    ...gone.filter(({ n, delivered }) => (had === undefined ? delivered : n <= had)),
  ];
  return { from: 0, passed: new Set(has.map(({ n }) => n)) };
}

/** Undefined if the id is not of this series, or was never given to a reader. */
function numberOf(lastEventId = '', series: Series): number | undefined {
  const [, its, digits] = /^(.+)-(\d{1,9})$/.exec(lastEventId) ?? [];
  const had = Number(digits);
  return its === series.id && had <= series.given ? had : undefined;
}
