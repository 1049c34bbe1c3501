/**
 * One reader of several boxes: pages of earlier auto-scans come first, box after box, and then those of the auto-scans that
 * are on, in the order of their numbers.
 */
import type { Notifier } from '../time/notifier.js';
import type { Outbox } from './outbox.js';
import type { OutboxEvent, Place } from './place.js';

export interface OutboxReader<T> {
  /** Every item from its position on, then the end. Asking for the next item confirms the last one. */
  readonly events: AsyncGenerator<OutboxEvent<T>, void>;
  /** Whether undelivered items were discarded: the value of a given item may be gone. */
  readonly discarded: boolean;
  /** Ends the events. An item that was given but not confirmed counts as undelivered. */
  leave(): void;
}

/** Boxes that get pages, of one series. The first that ends is the end. */
export interface LiveBoxes<T> {
  readonly change: Notifier;
  /** At least one; those that come later are read, too. */
  readonly boxes: readonly LiveBox<T>[];
}

export interface LiveBox<T> {
  readonly outbox: Outbox<T>;
  /** Asked before each page: whether the reader may still have it. */
  mayRead(): boolean;
}

/** @param over boxes that have ended, at least one if none is live: then the end of the last is the end */
export function readInTurn<T>(over: readonly Outbox<T>[], live?: LiveBoxes<T>, lastEventId?: string): OutboxReader<T> {
  const placeIn = (box: Outbox<T>): Place<T> => box.place(lastEventId);
  const series = live?.boxes[0]?.outbox.series.id;
  const earlier = inSeries(over.filter(box => box.series.id !== series)).map(boxes => boxes.map(placeIn));
  /** Boxes of the running series that have ended: their pages come in the order of all. */
  const ended = over.filter(box => box.series.id === series).map(placeIn);
  const running = new Map<Outbox<T>, { readonly place: Place<T>; mayRead(): boolean }>();
  let current: Place<T> | undefined;
  let left = false;

  const join = (): void => {
    for (const { outbox, mayRead } of live?.boxes ?? [])
      if (!running.has(outbox)) running.set(outbox, { place: placeIn(outbox), mayRead });
  };
  join();
  // Also while the reader takes its time: a box counts it from the beginning.
  const joining = async (): Promise<void> => {
    for (; live && !left; await live.change.wait()) join();
  };
  void joining();

  const leave = (): void => {
    left = true;
    for (const { place } of running.values()) place.leave();
    for (const place of [...earlier.flat(), ...ended]) place.leave();
    live?.change.notify();
  };

  const part = (): void => {
    for (const [box, { place, mayRead }] of running) {
      if (mayRead()) continue;
      place.leave();
      running.delete(box);
    }
  };

  /** An end of a box that was over before is none of the stream. */
  const livePlaces = (): Place<T>[] => {
    part();
    return [...ended.filter(({ next }) => next !== Infinity), ...[...running.values()].map(({ place }) => place)];
  };

  const take = (place: Place<T>): OutboxEvent<T> => {
    current = place;
    return place.take();
  };

  async function* events(): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      for (const [at, places] of earlier.entries()) {
        const isLast = at === earlier.length - 1 && !live;
        for (let place = first(places); place && !left; place = first(places)) {
          const event = take(place);
          if (event.kind === 'item' || isLast || event.id !== undefined) yield event;
          if (event.kind === 'end' && (isLast || event.id !== undefined)) return;
          if (event.kind === 'end') break;
          place.confirm();
        }
      }
      while (!left && live) {
        // Nothing may come between the look and the wait: it would not be noticed.
        const place = first(livePlaces());
        if (!place && running.size === 0) return;
        if (!place) {
          await live.change.wait();
          continue;
        }
        const event = take(place);
        yield event;
        if (event.kind === 'end') return;
        place.confirm();
      }
    } finally {
      leave();
    }
  }

  return {
    events: events(),
    get discarded() {
      return current?.discarded ?? false;
    },
    leave,
  };
}

/** Those with a common series together, in the order of the first of each. */
function inSeries<T>(boxes: readonly Outbox<T>[]): Outbox<T>[][] {
  const groups = new Map<string, Outbox<T>[]>();
  for (const box of boxes) groups.set(box.series.id, [...(groups.get(box.series.id) ?? []), box]);
  return [...groups.values()];
}

/** The place whose next page has the lowest number; an end comes last. */
function first<T>(places: readonly Place<T>[]): Place<T> | undefined {
  let best: Place<T> | undefined;
  for (const each of places)
    if (each.next !== undefined && (best?.next === undefined || each.next < best.next)) best = each;
  return best;
}
