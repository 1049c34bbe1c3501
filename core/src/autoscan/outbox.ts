/** Pages on their way to the readers: none is dropped, a full box stops the feeding, a slow reader holds up nobody. */

/** Delivered pages that are kept for a reader that comes back. */
const KEPT = 8;
/** A reader that is so many pages behind another one is let go. */
const FAR_BEHIND = 64;
const LET_GO = `This reader was ${FAR_BEHIND} pages behind another one, and pages that it did not take are gone.`;

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
  /** Whether the box has ended: the value of an item that was given may be gone. */
  readonly boxEnded: boolean;
  /** Ends the events. An item that was given and not taken counts as not delivered. */
  leave(): void;
}

export interface Outbox<T> {
  put(value: T): void;
  /** Resolves when so few pages wait that another may be fed, or at the end. */
  room(): Promise<void>;
  readonly hasRoom: boolean;
  readonly readers: number;
  /** @param lastEventId what a reader that comes back had last; items that are kept after it are given again */
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
  letGo: boolean;
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

  const remove = (place: Place): void => {
    place.left = true;
    if (places.delete(place)) settings.onReaders(places.size);
  };

  /** Delivered items go when nobody is behind them, or only readers that are too far behind. */
  const trim = (): void => {
    const delivered = entries.filter(entry => entry.delivered);
    for (const entry of delivered.slice(0, -KEPT)) {
      const behind = [...places].filter(place => place.next <= entry.n);
      if (behind.length > 0 && count - entry.n < FAR_BEHIND) continue;
      for (const place of behind) {
        place.letGo = true;
        remove(place);
      }
      entries.splice(entries.indexOf(entry), 1);
      settings.discard(entry.value);
    }
  };

  const leave = (place: Place): void => {
    remove(place);
    trim();
    wake();
  };

  /** Everything up to this number has reached a reader. */
  const reached = (n: number, from = 0): void => {
    for (const entry of entries) if (entry.n >= from && entry.n <= n) entry.delivered = true;
    trim();
    wake();
  };

  async function* follow(place: Place): AsyncGenerator<OutboxEvent<T>, void> {
    try {
      while (!place.left) {
        const entry = ended ? undefined : entries.find(each => each.n >= place.next);
        if (entry) {
          yield { kind: 'item', item: entry };
          if (place.left) break;
          place.next = entry.n + 1;
          reached(entry.n, entry.n);
        } else if (ended) {
          yield { kind: 'end', end: ended };
          return;
        } else {
          await change();
        }
      }
      if (place.letGo) yield { kind: 'end', end: ended ?? { event: 'error', message: LET_GO } };
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
      const had = lastOf(lastEventId);
      if (had !== undefined) reached(had);
      const next = had === undefined ? (entries.find(entry => !entry.delivered)?.n ?? count + 1) : had + 1;
      const place: Place = { next, left: false, letGo: false };
      places.add(place);
      settings.onReaders(places.size);
      return {
        events: follow(place),
        get boxEnded() {
          return ended !== undefined;
        },
        leave: () => leave(place),
      };
    },
    end(end) {
      ended ??= end;
      for (const entry of entries.splice(0)) settings.discard(entry.value);
      wake();
    },
  };

  /** The number that a reader had last; undefined where the id is none of this box. */
  function lastOf(lastEventId = ''): number | undefined {
    const [, given, digits] = /^(.+)-(\d{1,9})$/.exec(lastEventId) ?? [];
    const had = Number(digits);
    return given === series && had <= count ? had : undefined;
  }
}
