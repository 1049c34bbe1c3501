/** The pages of a document, in the wanted order, as they are stored. */
import type { Turn } from '../contract/document.js';
import { InvalidValue, ScanError } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { StoredPage } from '../kept/storedPage.js';
import { unlessAborted } from '../time/wait.js';

export interface ChosenPage {
  readonly stored: StoredPage;
  /** 1-based; pages of the document with the same number are the same one. */
  readonly number: number;
  readonly turn: Turn;
}

/** What a document is made of. */
export interface DocumentSource {
  /** When it was scanned; milliseconds since 1970. */
  readonly createdAt: number;
  /** @throws `storage-failed` if a scan is let go meanwhile, the signal's reason */
  pages(signal: AbortSignal): AsyncGenerator<ChosenPage, void>;
}

/** Whether the scan is still kept: its owner may let it go meanwhile. */
export type IsKept = (scan: KeptScan) => boolean;

export interface PagesOfScan {
  /**
   * Numbers of pages in the wanted order; one may occur several times. Absent: all pages, in order; if the scan drops
   * blank pages, without those.
   */
  readonly pages?: readonly number[];
  /** By the page's number; others are not turned. */
  readonly turns: Pick<ReadonlyMap<number, Turn>, 'get'>;
}

/**
 * While the scan runs, it waits for pages. If the scan fails, the pages so far are all. Of a scan that is over, every
 * wanted page is there before the first one is yielded. Reading also throws `invalid-value` if the scan ends without a
 * wanted page.
 */
export function pagesOfScan(scan: KeptScan, { pages, turns }: PagesOfScan, isKept: IsKept): DocumentSource {
  return {
    createdAt: scan.createdAt,
    async *pages(signal) {
      for await (const stored of storedPages(scan, pages, isKept, signal)) {
        const number = stored.page.pageNumber;
        yield { stored, number, turn: turns.get(number) ?? 0 };
      }
    },
  };
}

/** A page that is there. */
export interface ListedPage extends Omit<ChosenPage, 'number'> {
  readonly scan: KeptScan;
}

/**
 * Pages of any scans.
 * @param listed one may occur several times
 * @param createdAt when the document was scanned, in milliseconds since 1970; absent: when the first page's scan began
 */
export function pagesOfScans(
  listed: readonly ListedPage[],
  isKept: IsKept,
  createdAt = listed[0]!.scan.createdAt,
): DocumentSource {
  return {
    createdAt,
    async *pages(signal) {
      const numbers = new Map<StoredPage, number>();
      for (const { scan, stored, turn } of listed) {
        signal.throwIfAborted();
        assertKept(scan, isKept);
        const number = numbers.get(stored) ?? numbers.size + 1;
        numbers.set(stored, number);
        yield { stored, number, turn };
      }
    },
  };
}

async function* storedPages(
  scan: KeptScan,
  pages: readonly number[] | undefined,
  isKept: IsKept,
  signal: AbortSignal,
): AsyncGenerator<StoredPage, void> {
  /** The first page that is wanted, or undefined when the scan is over without one. */
  const find = async (look: () => StoredPage | undefined): Promise<StoredPage | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      assertKept(scan, isKept);
      const found = look();
      if (found || scan.state !== 'running') return found;
      await unlessAborted(scan.changed(), signal);
    }
  };
  if (pages) {
    if (scan.state !== 'running' && isKept(scan)) assertPages(scan, pages);
    for (const number of pages) {
      const page = await find(() => findPage(scan, number));
      if (!page) throw noSuchPage(scan, number);
      yield page;
    }
    return;
  }
  // Pages are added at the end only.
  for (let at = 0; ; at++) {
    const page = await find(() => scan.pages[at]);
    if (!page) return;
    if (!isDropped(scan, page)) yield page;
  }
}

function assertKept(scan: KeptScan, isKept: IsKept): void {
  if (!isKept(scan)) throw new ScanError('storage-failed', 'The scan was deleted while its document was written.');
}

/** Whether documents are without this page, unless it is asked for by its number. */
export function isDropped({ options }: KeptScan, { page }: StoredPage): boolean {
  return options?.blankPages === 'drop' && page.blank?.isBlank === true;
}

/**
 * The page with this number, if it is there. Numbers ascend, and usually begin with 1: of thousands of pages, few are
 * looked at.
 */
export function findPage({ pages }: KeptScan, number: number): StoredPage | undefined {
  const isIt = ({ page }: StoredPage): boolean => page.pageNumber === number;
  const usual = pages[number - 1];
  if (usual && isIt(usual)) return usual;
  return (pages.at(-1)?.page.pageNumber ?? 0) < number ? undefined : pages.find(isIt);
}

/** @throws `invalid-value` for the first one that the scan does not have */
function assertPages(scan: KeptScan, wanted: readonly number[]): void {
  const numbers = new Set(scan.pages.map(({ page }) => page.pageNumber));
  const missing = wanted.find(number => !numbers.has(number));
  if (missing !== undefined) throw noSuchPage(scan, missing);
}

/** @param field of the request; one that takes a single number lists those that are there */
export function noSuchPage({ pages }: KeptScan, number: number, field = 'pages'): InvalidValue {
  const numbers = pages.map(({ page }) => page.pageNumber);
  const has = numbers.length === 0 ? 'it has none' : `it has ${numbers[0]} to ${numbers.at(-1)}`;
  const accepts = `numbers of the scan's pages: ${has}, not ${number}`;
  return field === 'pages' ? new InvalidValue(field, accepts) : new InvalidValue(field, accepts, numbers);
}
