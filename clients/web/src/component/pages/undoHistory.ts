/** The layouts that undo and redo go through. */
import { withoutPages, type Layout } from './layout.js';

/** It can be stored. */
export interface History {
  readonly before: readonly Layout[];
  readonly now: Layout;
  readonly after: readonly Layout[];
}

export interface UndoHistory {
  /** To be stored. */
  readonly stored: History;
  readonly now: Layout;
  /** Whether any of the layouts has this page. */
  has(id: string): boolean;
  /** The next layout; undo goes back to the one before. */
  step(next: Layout): void;
  /** @returns false at the first layout */
  undo(): boolean;
  /** @returns false at the last layout */
  redo(): boolean;
  /** Changes every layout: no undo takes it back. */
  changeAll(change: (layout: Layout) => Layout): void;
  /** Takes pages out of every layout. Steps that change nothing then are gone. */
  forget(isGone: (id: string) => boolean): void;
  clear(): void;
}

const empty: History = { before: [], now: { order: [], turns: {} }, after: [] };
/** More steps are forgotten. */
const MOST_STEPS = 200;

/** @param start of an earlier visit */
export function createUndoHistory(start: History = empty): UndoHistory {
  let { before, now, after } = start;
  return {
    get stored() {
      return { before, now, after };
    },
    get now() {
      return now;
    },
    has: id => [...before, now, ...after].some(({ order }) => order.includes(id)),
    step(next) {
      before = [...before, now].slice(-MOST_STEPS);
      now = next;
      after = [];
    },
    undo() {
      const last = before.at(-1);
      if (!last) return false;
      after = [now, ...after];
      before = before.slice(0, -1);
      now = last;
      return true;
    },
    redo() {
      const [next, ...others] = after;
      if (!next) return false;
      before = [...before, now];
      after = others;
      now = next;
      return true;
    },
    changeAll(change) {
      before = before.map(change);
      now = change(now);
      after = after.map(change);
    },
    forget(isGone) {
      const without = (layout: Layout): Layout => withoutPages(layout, isGone);
      now = without(now);
      before = distinct([...before.map(without), now]).slice(0, -1);
      after = distinct([now, ...after.map(without)]).slice(1);
    },
    clear() {
      ({ before, now, after } = empty);
    },
  };
}

/** Without steps that change nothing. */
function distinct(layouts: readonly Layout[]): readonly Layout[] {
  const texts = layouts.map(({ order, turns }) => JSON.stringify(order.map(id => [id, turns[id] ?? 0])));
  return layouts.filter((_, at) => texts[at] !== texts[at - 1]);
}
