/** Boxes in memory, counted. */
import { ScanError } from '../contract/errors.js';
import type { BoxFacts, BoxStore, KeptPage, StoredBox } from './boxStore.js';

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
        pages: [],
        async keep({ data, ...page }, report) {
          seen.kept++;
          const kept: KeptPage = {
            page,
            report,
            bytes: {
              size: data.byteLength,
              async *read() {
                yield data;
              },
            },
            sent: () => void seen.sent++,
            drop: () => void seen.dropped++,
          };
          return { kept, problem: seen.full ? new ScanError('storage-failed', 'The disk is full.') : undefined };
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
