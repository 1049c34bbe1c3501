/** What the person did with pages that the service keeps, remembered beyond this tab. */
import type { Memory } from '../memory.js';

/** `handed-over`: to the page that embeds the component. */
export type Mark = 'saved' | 'handed-over' | 'removed';

/** By page number. */
type MarksOfScan = Readonly<Record<number, Mark>>;

export interface Marked {
  readonly scan: string;
  readonly number: number;
  /** Undefined: the person took it back. */
  readonly mark: Mark | undefined;
}

export interface PageMarks {
  of(scan: string, number: number): Mark | undefined;
  /** How many pages of a scan have a mark. @param mark absent: any */
  count(scan: string, mark?: Mark): number;
  /** All at once: the browser's storage takes a stack's marks as quickly as one. */
  set(pages: readonly Marked[]): void;
  /** Forgets the pages of all other scans. */
  keep(scans: ReadonlySet<string>): void;
}

export function createPageMarks(memory: Memory): PageMarks {
  /** Of the scans that are shown here; they are shown nowhere else. */
  const own = new Map<string, MarksOfScan>();
  const remembered = (): Readonly<Record<string, MarksOfScan>> =>
    (memory.recall('pages') as Record<string, MarksOfScan> | undefined) ?? {};
  function marksOf(scan: string): MarksOfScan {
    const marks = own.get(scan) ?? remembered()[scan] ?? {};
    own.set(scan, marks);
    return marks;
  }
  return {
    of: (scan, number) => marksOf(scan)[number],
    count: (scan, mark) => Object.values(marksOf(scan)).filter(each => mark === undefined || each === mark).length,
    set(pages) {
      const changed = new Map<string, Record<number, Mark>>();
      for (const { scan, number, mark } of pages) {
        const marks = changed.get(scan) ?? { ...marksOf(scan) };
        changed.set(scan, marks);
        if (mark === undefined) delete marks[number];
        else marks[number] = mark;
      }
      if (changed.size === 0) return;
      for (const [scan, marks] of changed) own.set(scan, marks);
      memory.remember('pages', { ...remembered(), ...Object.fromEntries(changed) });
    },
    keep(scans) {
      for (const scan of own.keys()) if (!scans.has(scan)) own.delete(scan);
      memory.remember('pages', Object.fromEntries(Object.entries(remembered()).filter(([scan]) => scans.has(scan))));
    },
  };
}
