/** Which page is selected, and which are marked for an action on several. Both are among the pages that are shown. */
import type { Sheet } from './page.js';

/**
 * Which sheet to select when sheets arrive. `first`: the first of them. `last`: the same, but only if the last sheet was
 * selected, so that the person keeps the page they look at. `same`: no other.
 */
export type Select = 'first' | 'last' | 'same';

/** `toggle`: this one. `to`: also all between the selected page and this one. `only`: no other. */
export type MarkHow = 'toggle' | 'to' | 'only';

/** By ids. */
export interface Selection {
  /** Undefined if no page is shown. */
  readonly chosen: string | undefined;
  readonly marked: ReadonlySet<string>;
  choose(id: string): void;
  /** @param first of those that arrive @param last of those that are shown */
  arrive(first: Sheet, select: Select, last: Sheet | undefined): void;
  /** Selects it, too; if it is unmarked now, the nearest one that stays marked. @param all that are shown */
  mark(all: readonly Sheet[], sheet: Sheet, how: MarkHow): void;
  markNone(): void;
  /** Other pages are shown: for a selected one that is gone, selects the next that is still there. */
  follow(before: readonly Sheet[], now: readonly Sheet[]): void;
}

export function createSelection(): Selection {
  let chosen: string | undefined;
  let marked: ReadonlySet<string> = new Set();
  return {
    get chosen() {
      return chosen;
    },
    get marked() {
      return marked;
    },
    choose: id => void (chosen = id),
    arrive(first, select, last) {
      const isLast = select === 'last' && chosen === last?.id;
      if (chosen === undefined || select === 'first' || isLast) chosen = first.id;
    },
    mark(all, sheet, how) {
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
    },
    markNone: () => void (marked = new Set()),
    follow(before, now) {
      const here = new Set(now.map(({ id }) => id));
      marked = new Set([...marked].filter(id => here.has(id)));
      if (chosen !== undefined && here.has(chosen)) return;
      const at = Math.max(
        0,
        before.findIndex(({ id }) => id === chosen),
      );
      chosen = (before.slice(at).find(({ id }) => here.has(id)) ?? now.at(-1))?.id;
    },
  };
}
