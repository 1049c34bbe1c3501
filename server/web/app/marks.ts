/** What the user did with pages that the service keeps, remembered beyond this tab: saved them, or removed them. */
import { recall, remember } from './memory.js';

export type Mark = 'saved' | 'removed';

/** By page number. */
type Marks = Readonly<Record<number, Mark>>;
type AllMarks = Readonly<Record<string, Marks>>;

/** Of the scans that this tab shows; no other tab shows them. */
const own = new Map<string, Marks>();
const remembered = (): AllMarks => (recall('pages') as AllMarks | undefined) ?? {};

function marksOf(scan: string): Marks {
  const marks = own.get(scan) ?? remembered()[scan] ?? {};
  own.set(scan, marks);
  return marks;
}

export const markOf = (scan: string, number: number): Mark | undefined => marksOf(scan)[number];

/** How many pages of a scan have a mark. @param mark absent: any */
export const marksIn = (scan: string, mark?: Mark): number =>
  Object.values(marksOf(scan)).filter(each => mark === undefined || each === mark).length;

export interface Marked {
  readonly scan: string;
  readonly number: number;
  /** Undefined: the user took it back. */
  readonly mark: Mark | undefined;
}

/** All at once: the browser's storage takes a stack's marks as quickly as one. */
export function setMarks(pages: readonly Marked[]): void {
  const changed = new Map<string, Record<number, Mark>>();
  for (const { scan, number, mark } of pages) {
    const marks = changed.get(scan) ?? { ...marksOf(scan) };
    changed.set(scan, marks);
    if (mark === undefined) delete marks[number];
    else marks[number] = mark;
  }
  for (const [scan, marks] of changed) own.set(scan, marks);
  remember('pages', { ...remembered(), ...Object.fromEntries(changed) });
}

/** Forgets the pages of all other scans. */
export function keepMarks(scans: ReadonlySet<string>): void {
  for (const scan of own.keys()) if (!scans.has(scan)) own.delete(scan);
  remember('pages', Object.fromEntries(Object.entries(remembered()).filter(([scan]) => scans.has(scan))));
}
