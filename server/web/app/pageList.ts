/** The pages of this tab, scan by scan in order of arrival, and the selected one. */
import { keptAt, type Page } from './page.js';

export interface Sheet {
  readonly id: number;
  readonly page: Page;
  readonly scanner: string;
  readonly at: Date;
}

/**
 * Which page to select when pages arrive. `first`: the first of them. `last`: the same, but only if the last page was
 * selected, so that the user keeps the page they look at. `same`: no other.
 */
export type Select = 'first' | 'last' | 'same';

export interface PageList {
  readonly all: readonly Sheet[];
  readonly chosen: Sheet | undefined;
  /** A page of a scan goes behind the earlier pages of its scan; one that is there already is skipped. */
  add(pages: readonly Page[], from: Pick<Sheet, 'scanner' | 'at'>, select: Select): void;
  choose(sheet: Sheet): void;
  /** @returns a function that restores them */
  remove(sheets: readonly Sheet[]): () => void;
  /** The next or previous one; undefined at an end. */
  beside(sheet: Sheet, step: 1 | -1): Sheet | undefined;
  /** The number that the user sees for the page that a scan delivers next. @param scan its id */
  nextNumber(scan: string): number;
}

/** @param onChange called after every change */
export function createPageList(onChange: () => void): PageList {
  let all: readonly Sheet[] = [];
  let chosen: Sheet | undefined;
  let last = 0;

  function become(next: readonly Sheet[], choice: Sheet | undefined): void {
    all = next;
    chosen = choice;
    onChange();
  }

  return {
    get all() {
      return all;
    },
    get chosen() {
      return chosen;
    },
    add(pages, { scanner, at }, select) {
      const added = pages
        .filter(page => !all.some(sheet => isSame(sheet.page, page)))
        .map(page => ({ id: ++last, page, scanner, at }));
      if (added.length === 0) return;
      const moves = !chosen || select === 'first' || (select === 'last' && chosen === all.at(-1));
      become(added.reduce(insert, all), moves ? added[0] : chosen);
    },
    choose: sheet => become(all, sheet),
    remove(sheets) {
      const before = { all, chosen };
      const left = all.filter(each => !sheets.includes(each));
      const at = chosen ? all.indexOf(chosen) : 0;
      const next =
        chosen && left.includes(chosen) ? chosen : (all.slice(at).find(each => left.includes(each)) ?? left.at(-1));
      become(left, next);
      return () => become(all.filter(each => !before.all.includes(each)).reduce(insert, before.all), before.chosen);
    },
    beside: (sheet, step) => all[all.indexOf(sheet) + step],
    nextNumber(scan) {
      const at = all.findLastIndex(({ page }) => keptAt(page)?.scan === scan);
      return (at < 0 ? all.length : at + 1) + 1;
    },
  };
}

function isSame(one: Page, other: Page): boolean {
  const [a, b] = [keptAt(one), keptAt(other)];
  return a !== undefined && a.scan === b?.scan && a.number === b.number;
}

function insert(all: readonly Sheet[], sheet: Sheet): readonly Sheet[] {
  const own = keptAt(sheet.page);
  const isOfScan = ({ page }: Sheet): boolean => own !== undefined && keptAt(page)?.scan === own.scan;
  const after = all.findLastIndex(each => isOfScan(each) && (keptAt(each.page)?.number ?? 0) < (own?.number ?? 0));
  const before = all.findIndex(isOfScan);
  if (after >= 0) return all.toSpliced(after + 1, 0, sheet);
  return before >= 0 ? all.toSpliced(before, 0, sheet) : [...all, sheet];
}

/** The number that the user sees: its place in this tab, from 1. */
export const numberOf = (list: PageList, sheet: Sheet): number => list.all.indexOf(sheet) + 1;
