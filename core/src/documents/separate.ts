/** The documents of a kept scan: its sheets, separated as the scan's options say. */
import type { PatchCode } from '../contract/recogniser.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { StoredPage } from '../kept/storedPage.js';
import { SEPARATOR_TEXT, type Separation } from '../pipeline/separation.js';
import { documentNames } from './documentNames.js';
import { isDropped } from './documentPages.js';
import { wildcard } from './wildcard.js';

export interface SeparatedDocument {
  /** 1-based, in the scan. */
  readonly number: number;
  /** Unique in the scan, and safe as a file name without its extension: see `documentNames`. */
  readonly name: string;
  /** Numbers of its pages, ascending; one at least. */
  readonly pages: readonly number[];
  /**
   * Whether it has all of its pages: another document began after it, or the scan completed. The last document of a
   * scan that failed or was cancelled is not complete: its other sheets were not scanned.
   */
  readonly isComplete: boolean;
  /** What it began with; absent if it began otherwise. */
  readonly separator?: Separator;
}

export interface Separator {
  /** Number of the page with the code; of a blank sheet, its front's. */
  readonly page: number;
  /** Of the barcode. */
  readonly text?: string;
  readonly patch?: PatchCode;
}

interface Draft {
  readonly pages: number[];
  readonly separator?: Found;
  isComplete: boolean;
}

interface Found extends Separator {
  /** What its code names the document. */
  readonly name?: string;
}

type FindSeparator = (sheet: readonly StoredPage[]) => Found | undefined;

/**
 * Documents without a page are not listed. While the scan runs, the sheet that was scanned last counts as it is so far:
 * in duplex its back may still come, so a document that the back could change is not complete.
 */
export function documentsOf(scan: KeptScan): readonly SeparatedDocument[] {
  const separate = scan.options?.separate;
  const drafts = separate?.by === 'count' ? counted(scan, separate.pages ?? 1) : bySheet(scan, separate);
  const nameFor = documentNames();
  return drafts
    .filter(({ pages }) => pages.length > 0)
    .map(({ pages, separator, isComplete }, index) => {
      const number = index + 1;
      const { name, ...found } = separator ?? {};
      return {
        number,
        name: nameFor(name, `Document ${number}`),
        pages,
        isComplete: isComplete || scan.state === 'completed',
        ...('page' in found ? { separator: found } : {}),
      };
    });
}

/** Dropped pages count: a letter has as many sides whether or not its last one is blank. */
function counted(scan: KeptScan, most: number): Draft[] {
  const drafts: Draft[] = [];
  for (const [index, page] of scan.pages.entries()) {
    if (index % most === 0) drafts.push({ pages: [], isComplete: false });
    const draft = drafts.at(-1);
    if (!draft) continue;
    if (!isDropped(scan, page)) draft.pages.push(page.page.pageNumber);
    draft.isComplete = index % most === most - 1;
  }
  return drafts;
}

function bySheet(scan: KeptScan, separate: Separation | undefined): Draft[] {
  const find = separatorFinder(separate);
  let draft: Draft = { pages: [], isComplete: false };
  const drafts = [draft];
  for (const sheet of sheetsOf(scan.pages)) {
    const separator = find(sheet);
    if (separator) {
      // A code stays, whatever is on the back; a sheet with a blank front may turn out to have content.
      draft.isComplete = separate?.by !== 'blank' || isWhole(sheet, scan);
      draft = { pages: [], separator, isComplete: false };
      drafts.push(draft);
    }
    if (separator && !separate?.keep) continue;
    for (const page of sheet) if (!isDropped(scan, page)) draft.pages.push(page.page.pageNumber);
  }
  return drafts;
}

/** Pages of a sheet are neighbours, and have its number. */
function* sheetsOf(pages: readonly StoredPage[]): Generator<readonly StoredPage[]> {
  let sheet: StoredPage[] = [];
  for (const page of pages) {
    if (sheet[0] && sheet[0].page.sheet !== page.page.sheet) {
      yield sheet;
      sheet = [];
    }
    sheet.push(page);
  }
  if (sheet.length > 0) yield sheet;
}

/** Whether no other side of the sheet can come. */
function isWhole(sheet: readonly StoredPage[], { pages, state, options }: KeptScan): boolean {
  const last = sheet.at(-1);
  return last !== pages.at(-1) || state === 'completed' || options?.duplexMode === 'Simplex' || sheet.length > 1;
}

function separatorFinder(separate: Separation | undefined): FindSeparator {
  switch (separate?.by) {
    case 'blank':
      return sheet => {
        const isBlank = sheet.every(({ page }) => page.blank?.isBlank === true);
        return isBlank ? firstOn(sheet.slice(0, 1), page => ({ page: page.pageNumber })) : undefined;
      };
    case 'barcode': {
      const match = wildcard(separate.text ?? SEPARATOR_TEXT);
      return sheet =>
        firstOn(sheet, ({ pageNumber, barcodes }) => {
          for (const { text } of barcodes) {
            const parts = match(text);
            // The varying part names the document; without one, the whole text does.
            if (parts) return { page: pageNumber, text, name: parts.join(' ').trim() || text };
          }
          return undefined;
        });
    }
    case 'patch': {
      const { codes } = separate;
      return sheet =>
        firstOn(sheet, ({ pageNumber, patch }) =>
          patch !== undefined && (codes?.includes(patch) ?? true)
            ? { page: pageNumber, patch, name: `Patch ${patch}` }
            : undefined,
        );
    }
    default:
      return () => undefined;
  }
}

function firstOn(
  sheet: readonly StoredPage[],
  find: (page: StoredPage['page']) => Found | undefined,
): Found | undefined {
  for (const { page } of sheet) {
    const found = find(page);
    if (found) return found;
  }
  return undefined;
}
