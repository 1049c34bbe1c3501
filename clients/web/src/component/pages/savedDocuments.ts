/**
 * The documents that the person saved: their pages, order and turns, and the file. A download that began is no file yet,
 * so the service keeps their pages for its hours, and they can be shown again.
 */
import type { Memory } from '../memory.js';
import { isSameLayout, scanOf, type Layout } from './layout.js';

export interface SavedDocument {
  /** The file's. */
  readonly name: string;
  /** The file's. */
  readonly bytes: number;
  readonly layout: Layout;
}

export interface SavedDocuments {
  /** In the order in which they were saved. */
  readonly all: readonly SavedDocument[];
  /** The one with these pages, in this order and turned like this. */
  as(layout: Layout): SavedDocument | undefined;
  /** Takes the place of those that have pages of the same scans. */
  add(saved: SavedDocument): void;
  /** Forgets the documents of all other scans. */
  keep(scans: ReadonlySet<string>): void;
}

const NAME = 'saved';

export const pagesIn = ({ layout }: SavedDocument, scan: string): number =>
  layout.order.filter(id => scanOf(id) === scan).length;

export function createSavedDocuments(memory: Memory): SavedDocuments {
  // Another tab may have saved some.
  const recalled = (): readonly SavedDocument[] => (memory.recall(NAME) as SavedDocument[] | undefined) ?? [];
  let all = recalled();
  const become = (documents: readonly SavedDocument[]): void => memory.remember(NAME, (all = documents));
  return {
    get all() {
      return all;
    },
    as: layout => all.find(each => isSameLayout(each.layout, layout)),
    add(saved) {
      const scans = new Set(saved.layout.order.map(scanOf));
      become([...recalled().filter(({ layout }) => !layout.order.some(id => scans.has(scanOf(id)))), saved]);
    },
    keep: scans => become(recalled().filter(({ layout }) => layout.order.some(id => scans.has(scanOf(id))))),
  };
}
