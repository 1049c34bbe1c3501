/** Pages on their way to the readers: none is dropped, a full box stops the feeding, a slow reader holds up nobody. */

/** Delivered pages that are kept for a reader that comes back. */
const KEPT = 8;
/** A reader that is so many pages behind another one is let go. */
const FAR_BEHIND = 64;

export interface OutboxItem<T> {
  /** `<enable>-<n>`. */
  readonly id: string;
  readonly value: T;
}

export type OutboxEvent<T> = { readonly kind: 'item'; readonly item: OutboxItem<T> } | { readonly kind: 'end'; readonly end: OutboxEnd };

export interface OutboxEnd {
  readonly event: 'disabled' | 'error';
  readonly message: string;
}

export interface OutboxReader<T> {
  /** Every item from its place on, then the end. Asking for the next one says that the last one was taken. */
  readonly events: AsyncGenerator<OutboxEvent<T>, void>;
  /** Ends the events. */
  leave(): void;
}

export interface Outbox<T> {
  put(value: T): void;
  /** Resolves when so few pages wait that another may be fed, or at the end. */
  room(): Promise<void>;
  readonly hasRoom: boolean;
  readonly readers: number;
  /** @param lastEventId where a reader that comes back was; items that are kept after it are given again */
  read(lastEventId?: string): OutboxReader<T>;
  end(end: OutboxEnd): void;
}

export interface OutboxSettings<T> {
  /** The first part of the ids: which enabling this is. */
  readonly series: string;
  /** Undelivered items that may wait. */
  readonly capacity: number;
  /** Called when a reader came or left. */
  onReaders(count: number): void;
  /** Lets go of an item that nobody can get any more. */
  discard(value: T): void;
}

interface Entry<T> extends OutboxItem<T> {
  readonly n: number;
  delivered: boolean;
}

interface Place {
  /** The number of the next item for this reader. */
  next: number;
  left: boolean;
}

export function createOutbox<T>(settings: OutboxSettings<T>): Outbox<T> {
  const { series, capacity } = settings;
  const entries: Entry<T>[] = [];
  const places = new Set<Place>();
  let count = 0;
  let ended: OutboxEnd | undefined;
  const waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const each of waiting.splice(0)) each();
  };
  const change = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
  const hasRoom = (): boolean => entries.filter(entry => !entry.delivered).length < capacity;

  /** Delivered items go when nobody is behind them, or only readers that are too far behind. */
  const trim = (): void => {
    const delivered = entries.filter(entry => entry.delivered);
    for (const entry of delivered.slice(0, -KEPT)) {
      const behind = [...places].filter(place => place.next <= entry.n);
      if (behind.length > 0 && count - entry.n < FAR_BEHIND) continue;
      for (const place of behind) place.left = true;
      entries.splice(entries.indexOf(entry), 1);
      settings.discard(entry.value);
    }
  };

  const leave = (place: Place): void => {
    place.left = true;
    if (places.delete(place)) settings.onReaders(places.size);
    trim();
    wake();
  };

  async function* follow(place: Place): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      while (!place.left) {
        const entry = ended?.event ? undefined : entries.find(each => each.n >= place.next);
        if (entry) {
          yield { kind: 'item', item: entry };
          place.next = entry.n + 1;
          entry.delivered = true;
          trim();
          wake();
        } else if (ended) {
          yield { kind: 'end', end: ended };
          return;
        } else {
          await change();
        }
      }
    } finally {
      leave(place);
    }
  }

  return {
    put(value) {
      if (ended) return settings.discard(value);
      count++;
      entries.push({ id: `${series}-${count}`, n: count, value, delivered: false });
      wake();
    },
    get hasRoom() {
      return hasRoom();
    },
    get readers() {
      return places.size;
    },
    async room() {
      while (!hasRoom() && !ended) await change();
    },
    read(lastEventId) {
      const place: Place = { next: firstFor(lastEventId), left: false };
      places.add(place);
      settings.onReaders(places.size);
      return { events: follow(place), leave: () => leave(place) };
    },
    end(end) {
      ended ??= end;
      for (const entry of entries.splice(0)) settings.discard(entry.value);
      wake();
    },
  };

  /** After the one that it had; without one (or of another series), the first that nobody has had. */
  function firstFor(lastEventId: string | undefined): number {
    const [, had] = lastEventId?.startsWith(`${series}-`) ? lastEventId.split(`${series}-`) : [];
    if (had !== undefined && /^\d{1,9}$/.test(had)) return Number(had) + 1;
    return entries.find(entry => !entry.delivered)?.n ?? count + 1;
  }
}
