/** Stores of pages in memory that outlive a service, as folders do; a copy is what a crash leaves. */
import type { FinishedPage } from '../pipeline/finish.js';
import type { KeptFacts } from './scanFacts.js';
import type { FoundScan, ScanStore } from './scanStore.js';
import type { StoredPage } from './storedPage.js';

interface KeptPage {
  readonly page: FinishedPage;
  delivered: boolean;
}

interface KeptStore<Facts extends KeptFacts = KeptFacts> {
  facts: Facts;
  readonly pages: Map<number, KeptPage>;
}

export interface DurablePages {
  /** For a run of the service. */
  store(): ScanStore;
  copy(): DurablePages;
}

export function durablePages(all = new Map<string, KeptStore>()): DurablePages {
  const storedPage = ({ pages }: KeptStore, kept: KeptPage): StoredPage => {
    const { data, words: _, ...page } = kept.page;
    return {
      page,
      report: false,
      size: data.byteLength,
      sha256: '',
      isStored: true,
      get delivered() {
        return kept.delivered;
      },
      check: async () => undefined,
      words: async () => undefined,
      async *read() {
        yield data;
      },
      deliver: () => void (kept.delivered = true),
      drop: () => void pages.delete(page.pageNumber),
    };
  };
  const storeOf = <Facts extends KeptFacts>(its: KeptStore<Facts>): FoundScan<Facts> => ({
    damaged: new Set(),
    get facts() {
      return its.facts;
    },
    found: [...its.pages.values()].map(each => storedPage(its as unknown as KeptStore, each)),
    async begin(changed) {
      its.facts = { ...its.facts, ...changed };
      all.set(its.facts.id, its as unknown as KeptStore);
    },
    save: async () => undefined,
    isSaved: () => true,
    async keep(page) {
      const kept = { page, delivered: false };
      all.set(its.facts.id, its as unknown as KeptStore);
      its.pages.set(page.pageNumber, kept);
      return { stored: storedPage(its as unknown as KeptStore, kept) };
    },
    async tell(changed) {
      its.facts = { ...its.facts, ...changed };
    },
    async remove(discard) {
      void discard?.();
      all.delete(its.facts.id);
      return undefined;
    },
    settled: async () => undefined,
  });
  return {
    store: () => ({
      read: async () => [...all.values()].map(each => storeOf(each)),
      create: facts => storeOf({ facts, pages: new Map() }),
    }),
    copy: () =>
      durablePages(
        new Map(
          [...all].map(([name, { facts, pages }]) => [
            name,
            { facts, pages: new Map([...pages].map(([n, kept]) => [n, { ...kept }])) },
          ]),
        ),
      ),
  };
}
