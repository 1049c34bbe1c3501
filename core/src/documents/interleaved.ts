/** Both sides of a stack that a one-sided feeder scanned in two passes: the fronts, then the backs of the turned stack. */
import type { Turn } from '../contract/document.js';
import { InvalidValue } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import { isDropped, pagesOfScans, type DocumentSource, type IsKept } from './documentPages.js';

/**
 * How the backs came out of the feeder. reversed: the last sheet first, as when the whole stack is turned over. same: the
 * first sheet first.
 */
export const backsOrders = ['reversed', 'same'] as const;
export type BacksOrder = (typeof backsOrders)[number];

export interface Passes {
  readonly fronts: KeptScan;
  readonly backs: KeptScan;
  readonly backsOrder: BacksOrder;
  /** By the page's number: 1 is the front of the first sheet, 2 its back. Blank pages count. Others are not turned. */
  readonly turns: Pick<ReadonlyMap<number, Turn>, 'get'>;
}

/**
 * The front and the back of each sheet, in the order of the fronts; without blank pages that their scan drops.
 * @throws `invalid-value` for the field `interleave` if there are not as many backs as fronts, for `interleave.fronts` or
 *   `interleave.backs` if that scan still runs, and for `interleave.backs` if it is the scan of the fronts
 */
export function interleavedPages(passes: Passes, isKept: IsKept): DocumentSource {
  const { fronts, backs, backsOrder, turns } = passes;
  for (const side of ['fronts', 'backs'] as const)
    if (passes[side].state === 'running')
      throw new InvalidValue(`interleave.${side}`, 'a scan that is over, and this one still runs');
  if (fronts === backs) throw new InvalidValue('interleave.backs', 'another scan than that of the fronts');
  const count = fronts.pages.length;
  if (backs.pages.length !== count)
    throw new InvalidValue(
      'interleave',
      `two scans with equally many pages: the fronts have ${count}, the backs have ${backs.pages.length}`,
    );
  const inOrder = backsOrder === 'same' ? backs.pages : backs.pages.toReversed();
  const listed = fronts.pages
    .flatMap((front, at) => [
      { scan: fronts, stored: front },
      { scan: backs, stored: inOrder[at]! },
    ])
    .map((page, at) => ({ ...page, turn: turns.get(at + 1) ?? 0 }))
    .filter(({ scan, stored }) => !isDropped(scan, stored));
  return pagesOfScans(listed, isKept, fronts.createdAt);
}
