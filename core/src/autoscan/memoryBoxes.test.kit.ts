/** Boxes in memory, counted. */
import { ScanError } from '../contract/errors.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { BoxFacts, BoxStore, StoredBox } from './boxStore.js';

export function memoryBoxes(found: readonly StoredBox[] = []) {
  const seen = { kept: 0, sent: 0, dropped: 0, removed: 0, full: false };
  const created: { facts: BoxFacts }[] = [];
  const boxes: BoxStore = {
    found,
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
        remove: async () => void seen.removed++,
        settled: async () => undefined,
      };
    },
  };
  return { seen, boxes, created };
}
