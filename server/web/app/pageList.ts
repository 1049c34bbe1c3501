/** The pages of this tab, in order of arrival, and the selected one. */
import type { ScannedPage } from '../client.js';

export interface Sheet {
  readonly id: number;
  readonly page: ScannedPage;
  readonly scanner: string;
  readonly at: Date;
}

export interface PageList {
  readonly all: readonly Sheet[];
  readonly chosen: Sheet | undefined;
  /** Selects the first of them. @param live only if the last page was selected, so that the user keeps the page they look at */
  add(pages: readonly ScannedPage[], scanner: string, live: boolean): void;
  choose(sheet: Sheet): void;
  /** @returns a function that restores them */
  remove(sheets: readonly Sheet[]): () => void;
  /** The next or previous one; undefined at an end. */
  beside(sheet: Sheet, step: 1 | -1): Sheet | undefined;
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
    add(pages, scanner, live) {
      const at = new Date();
      const added = pages.map(page => ({ id: ++last, page, scanner, at }));
      if (added.length > 0) become([...all, ...added], live && chosen !== all.at(-1) ? chosen : added[0]);
    },
    choose: sheet => become(all, sheet),
    remove(sheets) {
      const before = { all, chosen };
      const left = all.filter(each => !sheets.includes(each));
      const at = chosen ? all.indexOf(chosen) : 0;
      const next =
        chosen && left.includes(chosen) ? chosen : (all.slice(at).find(each => left.includes(each)) ?? left.at(-1));
      become(left, next);
      return () => become([...before.all, ...all.filter(each => !before.all.includes(each))], before.chosen);
    },
    beside: (sheet, step) => all[all.indexOf(sheet) + step],
  };
}

/** The number that the user sees: its place in this tab, from 1. */
export const numberOf = (list: PageList, sheet: Sheet): number => list.all.indexOf(sheet) + 1;
