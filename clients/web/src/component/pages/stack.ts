/**
 * The pages of a component, in the person's order: added, moved, turned, replaced and removed, each undone and redone.
 *
 * A layout is the order and the turns. Undo goes back to the layout before. Pages that arrive are put into every layout,
 * so that no undo loses one; only a page that replaces another is missing in the layouts before.
 */
import type { Turn } from '../../client/shapes.js';
import type { Sheet } from './page.js';

export interface Layout {
  /** Ids of sheets. */
  readonly order: readonly string[];
  /** By id; absent: not turned. */
  readonly turns: Readonly<Record<string, Turn>>;
}

/** What undo and redo go through; it can be stored. */
export interface History {
  readonly before: readonly Layout[];
  readonly now: Layout;
  readonly after: readonly Layout[];
}

/**
 * Which sheet to select when sheets arrive. `first`: the first of them. `last`: the same, but only if the last sheet was
 * selected, so that the person keeps the page they look at. `same`: no other.
 */
export type Select = 'first' | 'last' | 'same';

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
  /**
   * Selects it, too; if it is unmarked now, the nearest one that stays marked.
   * @param how `to`: also all between the selected sheet and this one
   */
  mark(sheet: Sheet, how: 'toggle' | 'to' | 'only'): void;
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

/** Whether both show the same pages, in the same order and turned the same. */
export const isSameLayout = (one: Layout, other: Layout): boolean =>
  one.order.length === other.order.length && JSON.stringify(one) === JSON.stringify(other);

const empty: History = { before: [], now: { order: [], turns: {} }, after: [] };
/** More steps are forgotten. */
const MOST_STEPS = 200;

/**
 * @param start of an earlier visit: its sheets take their places as they arrive
 * @param onChange called after every change
 */
export function createStack(onChange: () => void, start: History = empty): Stack {
  const sheets = new Map<string, Sheet>();
  /** Ids of an earlier visit's sheets, which have not arrived yet, stay in the layouts. */
  let { before, now, after } = start;
  let chosen: string | undefined;
  let marked: ReadonlySet<string> = new Set();
  let all: readonly Sheet[] = [];

  const sheetOf = (id: string | undefined): Sheet | undefined => (id === undefined ? undefined : sheets.get(id));
  const sheetsIn = ({ order }: Layout): readonly Sheet[] =>
    order.map(sheetOf).filter((sheet): sheet is Sheet => sheet !== undefined);

  /** What is selected and marked stays in the stack. */
  function settle(): void {
    const earlier = all;
    all = sheetsIn(now);
    const here = new Set(all.map(({ id }) => id));
    marked = new Set([...marked].filter(id => here.has(id)));
    if (chosen === undefined || !here.has(chosen)) {
      const at = Math.max(
        0,
        earlier.findIndex(({ id }) => id === chosen),
      );
      chosen = (earlier.slice(at).find(({ id }) => here.has(id)) ?? all.at(-1))?.id;
    }
    onChange();
  }

  function step(next: Layout): void {
    before = [...before, now].slice(-MOST_STEPS);
    now = next;
    after = [];
    settle();
  }

  const idsOf = (some: readonly Sheet[]): ReadonlySet<string> => new Set(some.map(({ id }) => id));

  return {
    get all() {
      return all;
    },
    get known() {
      return [...sheets.values()];
    },
    get chosen() {
      return sheetOf(chosen);
    },
    get marked() {
      return all.filter(({ id }) => marked.has(id));
    },
    get canUndo() {
      return before.length > 0;
    },
    get canRedo() {
      return after.length > 0;
    },
    get history() {
      return { before, now, after };
    },
    get layout() {
      const turned = all.filter(({ id }) => now.turns[id]).map(({ id }) => [id, now.turns[id]]);
      return { order: all.map(({ id }) => id), turns: Object.fromEntries(turned) as Layout['turns'] };
    },
    turnOf: ({ id }) => now.turns[id] ?? 0,
    numberOf: sheet => all.indexOf(sheet) + 1,
    beside: (sheet, by) => all[all.indexOf(sheet) + by],
    add(arrived, select) {
      const added = arrived.filter(({ id }) => !sheets.has(id));
      if (added.length === 0) return;
      const last = all.at(-1)?.id;
      for (const sheet of added) {
        sheets.set(sheet.id, sheet);
        const isPlaced = [...before, now, ...after].some(({ order }) => order.includes(sheet.id));
        if (isPlaced) continue;
        const into = (layout: Layout): Layout => ({ ...layout, order: placed(layout.order, sheet.id) });
        before = before.map(into);
        now = into(now);
        after = after.map(into);
      }
      const first = added.find(({ id }) => now.order.includes(id));
      if (first && (chosen === undefined || select === 'first' || (select === 'last' && chosen === last)))
        chosen = first.id;
      settle();
    },
    replace(old, by) {
      const [first] = by;
      if (!first) return;
      for (const sheet of by) sheets.set(sheet.id, sheet);
      const own = idsOf(by);
      const places = now.order.includes(old.id) ? now.order : [...now.order, old.id];
      chosen = first.id;
      step({ ...now, order: places.flatMap(id => (id === old.id ? [...own] : own.has(id) ? [] : [id])) });
    },
    choose(sheet) {
      chosen = sheet.id;
      onChange();
    },
    mark(sheet, how) {
      const next = how === 'only' ? new Set<string>() : new Set(marked);
      if (how === 'toggle' && next.has(sheet.id)) next.delete(sheet.id);
      else if (how === 'to') {
        const ends = [all.findIndex(({ id }) => id === chosen), all.indexOf(sheet)].map(at => Math.max(0, at));
        for (const { id } of all.slice(Math.min(...ends), Math.max(...ends) + 1)) next.add(id);
      } else next.add(sheet.id);
      marked = next;
      // One that is unmarked must not be what the next button acts on while others are marked.
      const nearest = all.slice(0, all.indexOf(sheet) + 1).findLast(({ id }) => next.has(id));
      chosen = (nearest ?? all.find(({ id }) => next.has(id)) ?? sheet).id;
      onChange();
    },
    markNone() {
      marked = new Set();
      onChange();
    },
    move(some, to) {
      const own = idsOf(some);
      const moving = all.filter(({ id }) => own.has(id)).map(({ id }) => id);
      const others = now.order.filter(id => !own.has(id));
      const shown = others.filter(id => sheets.has(id));
      const next = shown[Math.max(0, to - 1)];
      const at = next === undefined ? others.length : others.indexOf(next);
      const order = [...others.slice(0, at), ...moving, ...others.slice(at)];
      if (order.join() !== now.order.join()) step({ ...now, order });
    },
    turn(some, by) {
      const turned = some
        .filter(sheet => all.includes(sheet))
        .map(({ id }) => [id, (((now.turns[id] ?? 0) + by) % 360) as Turn]);
      if (turned.length > 0) step({ ...now, turns: { ...now.turns, ...Object.fromEntries(turned) } });
    },
    remove(some) {
      const own = idsOf(some);
      const order = now.order.filter(id => !own.has(id));
      if (order.length < now.order.length) step({ ...now, order });
    },
    undo() {
      const last = before.at(-1);
      if (!last) return;
      after = [now, ...after];
      before = before.slice(0, -1);
      now = last;
      settle();
    },
    redo() {
      const [next, ...others] = after;
      if (!next) return;
      before = [...before, now];
      after = others;
      now = next;
      settle();
    },
    forget(isGone) {
      const without = (layout: Layout): Layout => ({ ...layout, order: layout.order.filter(id => !isGone(id)) });
      for (const id of [...sheets.keys()]) if (isGone(id)) sheets.delete(id);
      now = without(now);
      before = distinct([...before.map(without), now]).slice(0, -1);
      after = distinct([now, ...after.map(without)]).slice(1);
      settle();
    },
    expect({ order, turns }) {
      const its = new Set(order);
      const into = (layout: Layout): Layout => ({
        order: [...layout.order.filter(id => !its.has(id)), ...order],
        turns: { ...layout.turns, ...turns },
      });
      before = before.map(into);
      now = into(now);
      after = after.map(into);
      settle();
    },
    clear() {
      sheets.clear();
      ({ before, now, after } = empty);
      settle();
    },
  };
}

/** Without steps that change nothing. */
function distinct(layouts: readonly Layout[]): readonly Layout[] {
  const texts = layouts.map(({ order, turns }) => JSON.stringify(order.map(id => [id, turns[id] ?? 0])));
  return layouts.filter((_, at) => texts[at] !== texts[at - 1]);
}

/** Behind the earlier pages of its scan, or before the later ones; otherwise last. */
function placed(order: readonly string[], id: string): readonly string[] {
  const { scan, number } = partsOf(id);
  const at = order.findLastIndex(each => partsOf(each).scan === scan && partsOf(each).number < number);
  if (at >= 0) return order.toSpliced(at + 1, 0, id);
  const next = order.findIndex(each => partsOf(each).scan === scan);
  return next < 0 ? [...order, id] : order.toSpliced(next, 0, id);
}

/** A page in this tab's memory is alone, whatever its id. */
function partsOf(id: string): { readonly scan: string; readonly number: number } {
  const at = id.lastIndexOf('/');
  if (at < 0) return { scan: id, number: 0 };
  return { scan: id.slice(0, at), number: Number(id.slice(at + 1)) };
}

/** The scan of a sheet's id. */
export const scanOf = (id: string): string => partsOf(id).scan;
/** The id of a page that the service keeps. */
export const sheetId = (scan: string, number: number): string => `${scan}/${number}`;
