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

/** @param mark undefined: the user took it back */
export function setMark(scan: string, number: number, mark: Mark | undefined): void {
  const { [number]: _before, ...others } = marksOf(scan);
  const marks: Marks = mark === undefined ? others : { ...others, [number]: mark };
  own.set(scan, marks);
  remember('pages', { ...remembered(), [scan]: marks });
}

/** Forgets the pages of all other scans. */
export function keepMarks(scans: ReadonlySet<string>): void {
  for (const scan of own.keys()) if (!scans.has(scan)) own.delete(scan);
  remember('pages', Object.fromEntries(Object.entries(remembered()).filter(([scan]) => scans.has(scan))));
}
