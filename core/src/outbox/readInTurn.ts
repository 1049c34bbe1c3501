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
  /** At least one; those that come later are read, too. */
  readonly boxes: readonly Outbox<T>[];
  readonly change: Notifier;
}

/** @param over boxes that have ended, at least one if none is live: then the end of the last is the end */
export function readInTurn<T>(over: readonly Outbox<T>[], live?: LiveBoxes<T>, lastEventId?: string): OutboxReader<T> {
  const earlier = over.map(box => box.place(lastEventId));
  const running = new Map<Outbox<T>, Place<T>>();
  const join = (): void => {
    for (const box of live?.boxes ?? []) if (!running.has(box)) running.set(box, box.place(lastEventId));
  };
  join();
  let current: Place<T> | undefined = earlier[0] ?? [...running.values()][0];
  let left = false;
  const leave = (): void => {
    left = true;
    for (const place of [...earlier, ...running.values()]) place.leave();
    live?.change.notify();
  };

  /** What the place has now, until it has nothing more or its end comes. */
  function* from(place: Place<T>): Generator<OutboxEvent<T>, OutboxEvent<T> | undefined> {
    while (place.next !== undefined && !left) {
      current = place;
      const event = place.take();
      if (event.kind === 'end') return event;
      yield event;
      place.confirm();
    }
    return undefined;
  }

  async function* events(): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      for (const [at, place] of earlier.entries()) {
        const end = yield* from(place);
        if (left) return;
        const isLast = at === earlier.length - 1 && running.size === 0;
        if (end?.kind === 'end' && (isLast || end.id !== undefined)) return yield end;
      }
      while (!left && live) {
        join();
        const [first] = [...running.values()]
          .filter(({ next }) => next !== undefined)
          .toSorted((a, b) => (a.next ?? Infinity) - (b.next ?? Infinity));
        if (!first) {
          await live.change.wait();
          continue;
        }
        current = first;
        const event = first.take();
        yield event;
        if (event.kind === 'end') return;
        first.confirm();
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
