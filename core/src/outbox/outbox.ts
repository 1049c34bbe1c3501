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
  /** The highest number of its own that it gave to a reader. */
  let given = last;
  let emptied = (): void => undefined;
  const empty = new Promise<void>(resolve => (emptied = resolve));
  const undelivered = (): Entry<T>[] => entries.filter(entry => !entry.delivered);
  const hasRoom = (): boolean => undelivered().length < settings.capacity();
  const isAt = (entry: Entry<T>): boolean => [...places].some(({ at }) => at === entry);
  const ifQuiet = (then: () => void): void => void ([...places].every(({ at }) => at === undefined) && then());

  const trim = (): void => {
    if (contents.ended) return;
    for (const entry of tooMany(entries, settings)) {
      const at = entries.indexOf(entry);
      if (entries.length - at <= FAR_BEHIND && [...places].some(({ needs }) => needs(entry.n))) continue;
      entries.splice(at, 1);
      contents.trimmed.push(entry.n);
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
      entry.delivered ||= taken;
      if (isAt(entry)) return;
      if (!entry.delivered) settings.onLost?.(entry.value);
      settings.drop(entry.value);
      ifQuiet(emptied);
    } else if (taken) reached([entry]);
  };

  const hadBy = (lastEventId: string | undefined): Entry<T>[] => {
    const had = numberOf(lastEventId, series);
    return had === undefined || had > given || !isOf(contents, had) ? [] : entries.filter(({ n }) => n <= had);
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
      const { passed: had } = startOf(contents, numberOf(lastEventId, series));
      return entries.some(({ n }) => !had.has(n));
    },
    place(lastEventId) {
      reached(hadBy(lastEventId));
      const place = createPlace<T>({
        ...{ series: series.id, contents, start: startOf(contents, numberOf(lastEventId, series)) },
        onGiven({ n }) {
          given = Math.max(given, n);
          series.gave(n);
        },
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
      ifQuiet(emptied);
      change.notify();
      return empty;
    },
  };
}

/** Of a previous run. */
function contentsOf<T>({ series, found = [], lost = [] }: OutboxSettings<T>): Contents<T> {
  return {
    entries: found.map(each => ({ id: `${series.id}-${each.n}`, ...each })),
    trimmed: [],
    lost,
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
function startOf<T>({ entries }: Contents<T>, had: number | undefined): Start {
  const has = entries.filter(({ n, delivered }) => delivered && n <= (had ?? n));
  return { had, passed: new Set(has.map(({ n }) => n)) };
}

/** Whether a number is of this box, and not of another one of its series. */
const isOf = <T>({ entries, trimmed, lost }: Contents<T>, had: number): boolean =>
  entries.some(({ n }) => n === had) || trimmed.includes(had) || lost.includes(had);

/** Undefined if the id is not of this series, or was never given to a reader. */
function numberOf(lastEventId = '', series: Series): number | undefined {
  const [, its, digits] = /^(.+)-(\d{1,9})$/.exec(lastEventId) ?? [];
  const had = Number(digits);
  return its === series.id && had <= series.given ? had : undefined;
}
