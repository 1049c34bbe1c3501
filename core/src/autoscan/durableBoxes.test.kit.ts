/** Boxes in memory that outlive a service, as those on disk do; a copy is what a crash leaves. */
import type { FinishedPage } from '../pipeline/finish.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { BoxFacts, BoxStore, StoredBox } from './boxStore.js';

interface KeptPage {
  readonly page: FinishedPage;
  delivered: boolean;
}

interface KeptBox {
  facts: BoxFacts;
  readonly pages: Map<number, KeptPage>;
}

export interface DurableBoxes {
  /** For another run of the service. */
  open(): BoxStore;
  copy(): DurableBoxes;
}

export function durableBoxes(all = new Map<string, KeptBox>()): DurableBoxes {
  const storedPage = ({ pages }: KeptBox, kept: KeptPage): StoredPage => {
    const { data, words: _, ...page } = kept.page;
    return {
      page,
      report: false,
      size: data.byteLength,
      sha256: '',
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
  const storedBox = (box: KeptBox): StoredBox => ({
    get facts() {
      return box.facts;
    },
    found: [...box.pages.values()].map(each => storedPage(box, each)),
    begin: async () => undefined,
    save: async () => undefined,
    async keep(page) {
      all.set(box.facts.series, box);
      const kept = { page, delivered: false };
      box.pages.set(page.pageNumber, kept);
      return { stored: storedPage(box, kept) };
    },
    async tell(changed) {
      box.facts = { ...box.facts, ...changed };
    },
    async remove() {
      all.delete(box.facts.series);
      return undefined;
    },
    settled: async () => undefined,
  });
  return {
    open() {
      for (const [series, { pages }] of all) if (pages.size === 0) all.delete(series);
      return { found: [...all.values()].map(storedBox), create: facts => storedBox({ facts, pages: new Map() }) };
    },
    copy: () =>
      durableBoxes(
        new Map(
          [...all].map(([series, { facts, pages }]) => [
            series,
            { facts, pages: new Map([...pages].map(([n, kept]) => [n, { ...kept }])) },
          ]),
        ),
      ),
  };
}
