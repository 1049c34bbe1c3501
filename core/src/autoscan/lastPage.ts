/** The last page of all auto-scans, in memory until a reader has it: most readers wait for it. */
import type { AutoscanFacts } from '../kept/scanFacts.js';
import type { PageStore, StoredPage } from '../kept/storedPage.js';
import { slices } from '../pipeline/spool.js';

type Pages = PageStore<AutoscanFacts>;

/**
 * Its bytes are in one variable: a closure of the page that held them would keep them for as long as the page is known.
 * @returns a store of one auto-scan that remembers it
 */
export function createLastPage(): (its: Pages) => Pages {
  let last: { readonly page: StoredPage; readonly data: Uint8Array } | undefined;
  const remembered = (page: StoredPage): StoredPage => {
    const forget = (): void => void (last = last?.page === page ? undefined : last);
    return {
      ...page,
      get delivered() {
        return page.delivered;
      },
      get isStored() {
        return page.isStored;
      },
      read: (sliceBytes, start, end) =>
        last?.page === page ? slices(last.data.subarray(start, end), sliceBytes) : page.read(sliceBytes, start, end),
      deliver() {
        forget();
        page.deliver();
      },
      drop() {
        forget();
        page.drop();
      },
    };
  };
  return its => ({
    ...its,
    get facts() {
      return its.facts;
    },
    async keep(page, report) {
      const { stored, problem } = await its.keep(page, report);
      if (problem) return { stored, problem };
      last = { page: stored, data: page.data };
      return { stored: remembered(stored) };
    },
  });
}
