/** Which quarters a page has to be turned by to be upright, as its text tells. */
import { darkerThanAround } from './around.js';
import { keepBlobs, type Mask } from './blobs.js';
import { lumaOf } from './grey.js';
import { turned, type Quarters } from './quarter.js';
import type { Raster } from './raster.js';
import { shrink } from './shrink.js';
import { columnSkew, rowSkew } from './skew.js';
import { votesOf, type Votes } from './upright.js';

export type Orientation = { readonly quarters: Quarters } | { readonly why: string };

/** A letter of small print is six pixels high. */
const DPI = 150;
/** How much darker than its surroundings ink is, and how far these reach, in inches. */
const CONTRAST = 20;
const AROUND = 0.1;
/** In inches: words that touch are not wider, capitals not higher. */
const WIDEST = 1;
const HIGHEST = 0.4;
/** Lines stand out of noise: text from 2 on, noise and pictures without edges about 1. */
const LEAST_EVIDENCE = 1.5;
/** A majority that does not come about by chance: its lead in standard deviations, its size, and the ink behind it. */
const LEAD = 2.5;
const MAJORITY = 2.5;
const SHARE = 0.6;

export function orientationOf(page: Raster, dpi: number): Orientation {
  const small = shrink(page, dpi, DPI);
  const { width, height } = small;
  const grey = small.channels === 3 ? lumaOf(small.data) : small.data;
  const ink: Mask = { width, height, data: darkerThanAround({ width, height, data: grey }, Math.max(2, Math.round(AROUND * small.dpi)), CONTRAST) };
  const [rows, columns] = [rowSkew(ink), columnSkew(ink)];
  if (Math.max(rows.evidence, columns.evidence) < LEAST_EVIDENCE) return { why: 'there are no lines of text that would tell which way is up' };

  keepBlobs(ink, { maxWidth: WIDEST * small.dpi, maxHeight: HIGHEST * small.dpi, minArea: 3 });
  if (rows.evidence >= columns.evidence) {
    const up = isUp(votesOf(ink, rows.degrees, small.dpi));
    if (up === undefined) return { why: undecided };
    return up ? { why: 'the page is upright already' } : { quarters: 2 };
  }
  const side = turned({ pixels: 'gray8', ...ink }, 1);
  const up = isUp(votesOf(side, columns.degrees, small.dpi));
  return up === undefined ? { why: undecided } : { quarters: up ? 1 : 3 };
}

const undecided = 'its text does not tell clearly which way is up';

/** Undefined: the lines do not agree, or are too few. */
function isUp({ up, down, share }: Votes): boolean | undefined {
  const lead = (up - down) / Math.sqrt(up + down || 1);
  if (lead >= LEAD && up >= MAJORITY * down && share >= SHARE) return true;
  return -lead >= LEAD && down >= MAJORITY * up && 1 - share >= SHARE ? false : undefined;
}
