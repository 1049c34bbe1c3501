/** Text orientation: by how many quarter turns a page becomes upright. */
import { filterComponents } from './analysis/connectedComponents.js';
import { downsample } from './analysis/downsample.js';
import { inkMask } from './analysis/inkMask.js';
import { orientationVotes, type Votes } from './analysis/orientationVotes.js';
import type { Raster } from './raster/raster.js';
import { rotate90, type Quarters } from './raster/rotate90.js';
import { columnSkew, rowSkew } from './analysis/skew.js';

export type Orientation = { readonly quarters: Quarters } | { readonly why: string };

/** A letter of small print is six pixels high. */
const DPI = 150;
/** In inches: no word whose letters touch is wider, no capital higher. */
const MOST_WIDTH = 1;
const MOST_HEIGHT = 0.4;
/** Text has 2 or more; noise and pictures without edges have about 1. */
const LEAST_EVIDENCE = 1.5;
/** A majority that is not chance: its lead in standard deviations, its ratio, and its share of the ink. */
const LEAD = 2.5;
const MAJORITY = 2.5;
const SHARE = 0.6;

export function orientationOf(page: Raster, dpi: number): Orientation {
  const small = downsample(page, dpi, DPI);
  const ink = inkMask(small);
  const [rows, columns] = [rowSkew(ink), columnSkew(ink)];
  if (Math.max(rows.evidence, columns.evidence) < LEAST_EVIDENCE) {
    return { why: 'there are no lines of text that would tell which way is up' };
  }

  filterComponents(ink, { maxWidth: MOST_WIDTH * small.dpi, maxHeight: MOST_HEIGHT * small.dpi, minArea: 3 });
  if (rows.evidence >= columns.evidence) {
    const up = isUpright(orientationVotes(ink, rows.degrees, small.dpi));
    if (up === undefined) return { why: undecided };
    return up ? { why: 'the page is upright already' } : { quarters: 2 };
  }
  const sideways = rotate90({ pixels: 'gray8', ...ink }, 1);
  const up = isUpright(orientationVotes(sideways, columns.degrees, small.dpi));
  return up === undefined ? { why: undecided } : { quarters: up ? 1 : 3 };
}

const undecided = 'its text does not tell clearly which way is up';

/** Undefined if the lines disagree or are too few. */
function isUpright({ up, down, share }: Votes): boolean | undefined {
  const lead = (up - down) / Math.sqrt(up + down || 1);
  if (lead >= LEAD && up >= MAJORITY * down && share >= SHARE) return true;
  return -lead >= LEAD && down >= MAJORITY * up && 1 - share >= SHARE ? false : undefined;
}
