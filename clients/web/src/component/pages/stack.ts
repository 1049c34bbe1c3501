/**
 * The pages of a component, in the person's order: added, moved, turned, replaced and removed, each undone and redone.
 *
 * Undo goes back to the layout before. Pages that arrive are put into every layout, so that no undo loses one; only a page
 * that replaces another is missing in the layouts before.
 */
import type { Turn } from '../../client/shapes.js';
import {
  withLayout,
  withMoved,
  withOnly,
  withoutPages,
  withPage,
  withReplaced,
  withTurned,
  type Layout,
} from './layout.js';
import type { Sheet } from './page.js';
import { createSelection, type MarkHow, type Select } from './selection.js';
import { createUndoHistory, type History } from './undoHistory.js';

export interface Stack {
  /** In their order. */
  readonly all: readonly Sheet[];
  /** Also those that were removed and can come back. */
  readonly known: readonly Sheet[];
  readonly chosen: Sheet | undefined;
  /** Marked for an action on several; in their order. */
  readonly marked: readonly Sheet[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  turnOf(sheet: Sheet): Turn;
  /** From 1; 0 if it is not in the stack. */
  numberOf(sheet: Sheet): number;
  /** The next or previous one; undefined at an end. */
  beside(sheet: Sheet, step: 1 | -1): Sheet | undefined;
  /** A page of a scan goes behind the earlier pages of its scan; one that is known already is skipped. */
  add(sheets: readonly Sheet[], select: Select): void;
  /** These take the place of another, which undo brings back; they come last if it was removed meanwhile. */
  replace(old: Sheet, sheets: readonly Sheet[]): void;
  choose(sheet: Sheet): void;
  /** Selects it, too; if it is unmarked now, the nearest one that stays marked. */
  mark(sheet: Sheet, how: MarkHow): void;
  markNone(): void;
  /** @param to its new place, from 1 */
  move(sheets: readonly Sheet[], to: number): void;
  /** Clockwise. */
  turn(sheets: readonly Sheet[], by: 90 | 180 | 270): void;
  remove(sheets: readonly Sheet[]): void;
  undo(): void;
  redo(): void;
  /** Of pages that are gone at the service: no undo brings them back. @param isGone takes an id */
  forget(isGone: (id: string) => boolean): void;
  /** Sheets that will arrive take their places in this layout, behind all others. */
  expect(layout: Layout): void;
  /** Forgets everything. */
  clear(): void;
  /** To be stored. */
  readonly history: History;
  /** What is shown: without turns of 0. */
  readonly layout: Layout;
}

/**
 * @param start of an earlier visit: its sheets take their places as they arrive
 * @param onChange called after every change
 */
export function createStack(onChange: () => void, start?: History): Stack {
  const sheets = new Map<string, Sheet>();
  /** Ids of an earlier visit's sheets, which have not arrived yet, stay in the layouts. */
  const history = createUndoHistory(start);
  const selection = createSelection();
  let all: readonly Sheet[] = [];

  const sheetOf = (id: string | undefined): Sheet | undefined => (id === undefined ? undefined : sheets.get(id));

  function settle(): void {
    const before = all;
    all = history.now.order.map(sheetOf).filter((sheet): sheet is Sheet => sheet !== undefined);
    selection.follow(before, all);
    onChange();
  }

  function step(next: Layout): void {
    history.step(next);
    settle();
  }

  return {
    get all() {
      return all;
    },
    get known() {
      return [...sheets.values()];
    },
    get chosen() {
      return sheetOf(selection.chosen);
    },
    get marked() {
      return all.filter(({ id }) => selection.marked.has(id));
    },
    get canUndo() {
      return history.stored.before.length > 0;
    },
    get canRedo() {
      return history.stored.after.length > 0;
    },
    get history() {
      return history.stored;
    },
    get layout() {
      return withOnly(history.now, idsOf(all));
    },
    turnOf: ({ id }) => history.now.turns[id] ?? 0,
    numberOf: sheet => all.indexOf(sheet) + 1,
    beside: (sheet, by) => all[all.indexOf(sheet) + by],
    add(arrived, select) {
      const added = arrived.filter(({ id }) => !sheets.has(id));
      if (added.length === 0) return;
      for (const sheet of added) {
        sheets.set(sheet.id, sheet);
        if (!history.has(sheet.id)) history.changeAll(layout => withPage(layout, sheet.id));
      }
      const first = added.find(({ id }) => history.now.order.includes(id));
      if (first) selection.arrive(first, select, all.at(-1));
      settle();
    },
    replace(old, by) {
      const [first] = by;
      if (!first) return;
      for (const sheet of by) sheets.set(sheet.id, sheet);
      selection.choose(first.id);
      step(withReplaced(history.now, old.id, idsOf(by)));
    },
    choose(sheet) {
      selection.choose(sheet.id);
      onChange();
    },
    mark(sheet, how) {
      selection.mark(all, sheet, how);
      onChange();
    },
    markNone() {
      selection.markNone();
      onChange();
    },
    move(some, to) {
      const own = new Set(idsOf(some));
      const moving = idsOf(all).filter(id => own.has(id));
      const next = withMoved(history.now, moving, to, id => sheets.has(id));
      if (next.order.join() !== history.now.order.join()) step(next);
    },
    turn(some, by) {
      const turned = some.filter(sheet => all.includes(sheet));
      if (turned.length > 0) step(withTurned(history.now, idsOf(turned), by));
    },
    remove(some) {
      const own = new Set(idsOf(some));
      const next = withoutPages(history.now, id => own.has(id));
      if (next.order.length < history.now.order.length) step(next);
    },
    undo() {
      if (history.undo()) settle();
    },
    redo() {
      if (history.redo()) settle();
    },
    forget(isGone) {
      for (const id of [...sheets.keys()]) if (isGone(id)) sheets.delete(id);
      history.forget(isGone);
      settle();
    },
    expect(its) {
      history.changeAll(layout => withLayout(layout, its));
      settle();
    },
    clear() {
      sheets.clear();
      history.clear();
      settle();
    },
  };
}

const idsOf = (sheets: readonly Sheet[]): readonly string[] => sheets.map(({ id }) => id);
