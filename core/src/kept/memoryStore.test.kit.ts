/** Scans in memory, counted. */
import { ScanError } from '../contract/errors.js';
import type { KeptFacts } from './scanFacts.js';
import type { ScanStore } from './scanStore.js';
import type { StoredPage } from './storedPage.js';

export function memoryStore() {
  const seen = { kept: 0, sent: 0, dropped: 0, removed: 0, full: false, isStuck: false };
  const created: { facts: KeptFacts }[] = [];
  const store: ScanStore = {
    read: async () => [],
    create(given) {
      const box = { facts: given };
      created.push(box);
      return {
        get facts() {
          return box.facts;
        },
        found: [],
        begin: async () => undefined,
        save: async () => undefined,
        isSaved: () => true,
        async keep({ data, ...page }, report) {
          seen.kept++;
          let delivered = false;
          const stored: StoredPage = {
            page,
            report,
            size: data.byteLength,
            sha256: '',
            isStored: true,
            get delivered() {
              return delivered;
            },
            check: async () => undefined,
            words: async () => undefined,
            async *read() {
              yield data;
            },
            deliver() {
              delivered = true;
              seen.sent++;
            },
            drop: () => void seen.dropped++,
          };
          return { stored, ...(seen.full ? { problem: new ScanError('storage-failed', 'The disk is full.') } : {}) };
        },
        async tell(changed) {
          box.facts = { ...box.facts, ...changed };
        },
        async remove(discard) {
          if (seen.isStuck) return new ScanError('storage-failed', 'The disk is read-only.');
          seen.removed++;
          void discard?.();
          return undefined;
        },
        settled: async () => undefined,
      };
    },
  };
  return { seen, store, created };
}
