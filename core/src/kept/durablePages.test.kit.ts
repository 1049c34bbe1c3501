/** Stores of pages in memory that outlive a service, as folders do; a copy is what a crash leaves. */
import type { FinishedPage } from '../pipeline/finish.js';
import type { PageStore, StoredPage } from './storedPage.js';

interface KeptPage {
  readonly page: FinishedPage;
  delivered: boolean;
}

interface KeptStore<Facts> {
  facts: Facts;
  readonly pages: Map<number, KeptPage>;
}

export interface DurablePages<Facts> {
  create(facts: Facts): PageStore<Facts>;
  /** For another run of the service. */
  found(): PageStore<Facts>[];
  copy(): DurablePages<Facts>;
}

/** @param nameOf where another store is, as a folder's name */
export function durablePages<Facts>(
  nameOf: (facts: Facts) => string,
  all = new Map<string, KeptStore<Facts>>(),
): DurablePages<Facts> {
  const storedPage = ({ pages }: KeptStore<Facts>, kept: KeptPage): StoredPage => {
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
  const storeOf = (its: KeptStore<Facts>): PageStore<Facts> => ({
    get facts() {
      return its.facts;
    },
    found: [...its.pages.values()].map(each => storedPage(its, each)),
    async begin(changed) {
      its.facts = { ...its.facts, ...changed };
      all.set(nameOf(its.facts), its);
    },
    save: async () => undefined,
    async keep(page) {
      const kept = { page, delivered: false };
      all.set(nameOf(its.facts), its);
      its.pages.set(page.pageNumber, kept);
      return { stored: storedPage(its, kept) };
    },
    async tell(changed) {
      its.facts = { ...its.facts, ...changed };
    },
    async remove() {
      all.delete(nameOf(its.facts));
      return undefined;
    },
    settled: async () => undefined,
  });
  return {
    create: facts => storeOf({ facts, pages: new Map() }),
    found: () => [...all.values()].map(storeOf),
    copy: () =>
      durablePages(
        nameOf,
        new Map(
          [...all].map(([name, { facts, pages }]) => [
            name,
            { facts, pages: new Map([...pages].map(([n, kept]) => [n, { ...kept }])) },
          ]),
        ),
      ),
  };
}
