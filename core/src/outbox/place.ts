/** One reader's place in a box: which item comes next for it, and which one it is reading. */
import { gapEnd, type OutboxEnd } from './outboxEnd.js';

export interface OutboxItem<T> {
  /** `<series>-<n>`. */
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

export interface Entry<T> extends OutboxItem<T> {
  readonly n: number;
  delivered: boolean;
}

/** What a box has. */
export interface Contents<T> {
  /** In the order of their numbers. */
  readonly entries: Entry<T>[];
  /** Numbers of delivered items that are no longer kept, ascending. */
  readonly trimmed: number[];
  /** Numbers of items that cannot be read, and that nobody got. */
  readonly lost: readonly number[];
  ended: OutboxEnd | undefined;
  /** Its undelivered items were discarded: the value of a given item may be gone. */
  discarded: boolean;
}

export interface Place<T> {
  /** Number of what comes next: of an item, of the first one that is lost, or Infinity for the end; undefined: nothing yet. */
  readonly next: number | undefined;
  /** Gives it. Call it if there is something. */
  take(): OutboxEvent<T>;
  /** The reader has the item that it was given; otherwise, that one is undelivered. */
  confirm(): void;
  readonly discarded: boolean;
  leave(): void;
}

/** Where a reader begins. */
export interface Start {
  /** The number that it has; undefined: it has none. */
  readonly had: number | undefined;
  /** Numbers of items that are kept and do not come. */
  readonly passed: ReadonlySet<number>;
}

export interface ReadingPlace<T> extends Place<T> {
  /** The item that its reader is reading. */
  readonly at: Entry<T> | undefined;
  /** Whether it comes to the item of this number, if that is there. */
  needs(n: number): boolean;
}

export interface PlaceParts<T> {
  readonly series: string;
  readonly contents: Contents<T>;
  readonly start: Start;
  onGiven(entry: Entry<T>): void;
  /** The reader has moved on. @param taken whether it has the item */
  onPassed(entry: Entry<T>, taken: boolean): void;
  onLeft(place: ReadingPlace<T>): void;
}

export function createPlace<T>(parts: PlaceParts<T>): ReadingPlace<T> {
  const { series, contents, start } = parts;
  const { passed, had } = start;
  // To a new reader, what others had and is no longer kept is no loss.
  const trimmedBefore = had ?? contents.trimmed.at(-1) ?? 0;
  let from = 0;
  let at: Entry<T> | undefined;
  let left = false;

  const needs = (n: number): boolean => n >= from && !passed.has(n);
  const entry = (): Entry<T> | undefined => contents.entries.find(({ n }) => needs(n));
  const lostBefore = (n: number): number[] => {
    const lost = contents.lost.filter(each => each >= from && each > (had ?? 0) && each < n);
    const first = Math.max(from, trimmedBefore + 1);
    for (let index = contents.trimmed.length - 1; (contents.trimmed[index] ?? 0) >= first; index--) {
      const each = contents.trimmed[index] ?? 0;
      if (each < n && needs(each)) lost.push(each);
    }
    return lost.sort((a, b) => a - b);
  };

  const passOn = (taken: boolean): void => {
    const its = at;
    at = undefined;
    if (its) parts.onPassed(its, taken);
  };

  const place: ReadingPlace<T> = {
    get at() {
      return at;
    },
    needs,
    get next() {
      const coming = entry();
      if (coming) return lostBefore(coming.n)[0] ?? coming.n;
      return contents.ended ? Infinity : undefined;
    },
    take() {
      const coming = entry();
      if (coming) {
        const lost = lostBefore(coming.n);
        const [first, last] = [lost[0], lost.at(-1)];
        if (first !== undefined && last !== undefined)
          return { kind: 'end', end: gapEnd(first, last), id: `${series}-${last}` };
        at = coming;
        parts.onGiven(coming);
        return { kind: 'item', item: coming };
      }
      if (!contents.ended) throw new Error('nothing has come yet');
      return { kind: 'end', end: contents.ended };
    },
    confirm() {
      if (left || !at) return;
      from = at.n + 1;
      passOn(true);
    },
    get discarded() {
      return contents.discarded;
    },
    leave() {
      if (left) return;
      left = true;
      passOn(false);
      parts.onLeft(place);
    },
  };
  return place;
}
