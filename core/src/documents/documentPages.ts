/** The pages of a kept scan for a document, in the wanted order, as they are stored. */
import type { Turn } from '../contract/document.js';
import { InvalidValue, ScanError } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { StoredPage } from '../kept/storedPage.js';
import { unlessAborted } from '../time/wait.js';

export interface DocumentWishes {
  /**
   * Numbers of pages in the wanted order; one may occur several times. Absent: all pages, in order; if the scan drops
   * blank pages, without those.
   */
  readonly pages?: readonly number[];
  /** By the page's number; others are not turned. */
  readonly turns: Pick<ReadonlyMap<number, Turn>, 'get'>;
  readonly title?: string;
  /**
   * true: every page gets its text; it is read now if the scan did not read it. false: none does. Absent: pages whose
   * text was read have it.
   */
  readonly searchable?: boolean;
  /** Puts the text of the barcodes into the metadata. */
  readonly barcodes: boolean;
}

export interface KeptHere {
  /** Whether the scan is still kept: its owner may let it go meanwhile. */
  isKept(): boolean;
}

/**
 * While the scan runs, it waits for pages. If the scan fails, the pages so far are all. Of a scan that is over, every
 * wanted page is there before the first one is yielded.
 * @throws `invalid-value` if the scan ends without a wanted page, `storage-failed` if it is let go, the signal's reason
 */
export async function* documentPages(
  scan: KeptScan,
  { pages }: Pick<DocumentWishes, 'pages'>,
  { isKept }: KeptHere,
  signal: AbortSignal,
): AsyncGenerator<StoredPage, void> {
  /** The first page that is wanted, or undefined when the scan is over without one. */
  const find = async (look: () => StoredPage | undefined): Promise<StoredPage | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      if (!isKept()) throw new ScanError('storage-failed', 'The scan was deleted while its document was written.');
      const found = look();
      if (found || scan.state !== 'running') return found;
      await unlessAborted(scan.changed(), signal);
    }
  };
  if (pages) {
    if (scan.state !== 'running' && isKept()) assertPages(scan, pages);
    for (const number of pages) {
      const page = await find(() => pageOf(scan, number));
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

/** Whether documents are without this page, unless it is asked for by its number. */
export function isDropped({ options }: KeptScan, { page }: StoredPage): boolean {
  return options?.blankPages === 'drop' && page.blank?.isBlank === true;
}

/** Numbers ascend, and usually begin with 1: of thousands of pages, few are looked at. */
function pageOf({ pages }: KeptScan, number: number): StoredPage | undefined {
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

function noSuchPage({ pages }: KeptScan, number: number): InvalidValue {
  const numbers = pages.map(({ page }) => page.pageNumber);
  const has = numbers.length === 0 ? 'it has none' : `it has ${numbers[0]} to ${numbers.at(-1)}`;
  return new InvalidValue('pages', `numbers of the scan's pages: ${has}, not ${number}`);
}
