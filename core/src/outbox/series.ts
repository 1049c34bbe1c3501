/** What the auto-scans of one origin that are on together share: the first part of their pages' ids, and one count of numbers. */
import { createNotifier, type Notifier } from '../time/notifier.js';
import { deferred } from '../time/wait.js';

export interface Series {
  /** First part of the ids. */
  readonly id: string;
  /** The last number that was taken. */
  readonly last: number;
  /** The highest number that a reader was given: none can have more. */
  readonly given: number;
  /** No number was taken yet. */
  readonly isFresh: boolean;
  /** Notified when any of its boxes changes, or a box is added. */
  readonly change: Notifier;
  /** Takes the next number. Pages come into their boxes in the order of their numbers, so that no reader passes one. */
  take(): Turn;
  /** The next number is above this one. */
  startAfter(number: number): void;
  gave(number: number): void;
}

export interface Turn {
  readonly number: number;
  /** Resolves when all pages with lower numbers have come, or never will. */
  readonly comes: Promise<unknown>;
  /** Its page has come, or never will. */
  done(): void;
}

export function createSeries(id: string, start = 0): Series {
  let last = start;
  let given = start;
  let isFresh = true;
  let before: Promise<unknown> = Promise.resolve();
  return {
    id,
    change: createNotifier(),
    get last() {
      return last;
    },
    get given() {
      return given;
    },
    get isFresh() {
      return isFresh;
    },
    take() {
      isFresh = false;
      const { promise, resolve } = deferred<void>();
      const comes = before;
      before = comes.then(() => promise);
      return { number: ++last, comes, done: resolve };
    },
    startAfter(number) {
      last = Math.max(last, number);
      given = Math.max(given, number);
    },
    gave(number) {
      given = Math.max(given, number);
    },
  };
}
