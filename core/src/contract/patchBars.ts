/**
 * The bars of patch codes, in inches.
 *
 * Source: Kodak, "Patch Code Information for Kodak Scanners" (A-61599, October 2006): four black bars with three spaces,
 * two of the bars wide, 0.80 in in all, each edge within 0.01 in. Its tables give 1 (`wwnn`), 4 (`nwwn`) and 6 (`nnww`);
 * ByteScout's open reader has these and 2, 3 and T as below. CodeGlyphX exchanges 1, 2 and 3 among themselves (1 `wnnw`,
 * 2 `wnwn`, 3 `wwnn`): its 1 and 3 contradict Kodak's table, so Platen does not follow it.
 */
import type { PatchCode } from './recogniser.js';

/**
 * `w`: wide, `n`: narrow; the first bar is the one next to the edge that the code is printed along. 2 and 4 are the same
 * in both directions; 1 read backwards is 6, and 3 is T.
 */
export const patchBars: Readonly<Record<PatchCode, string>> = {
  '1': 'wwnn',
  '2': 'wnnw',
  '3': 'wnwn',
  '4': 'nwwn',
  '6': 'nnww',
  T: 'nwnw',
};

export const patchInches = { wide: 0.2, narrow: 0.08, space: 0.08, whole: 0.8 } as const;
