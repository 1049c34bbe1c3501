/** The size of a page on paper, and where its image is. */
import type { DocumentPage } from '@platen/core/plugin';
import { number } from './syntax.js';
import type { Placed } from './text/layer.js';

const POINTS_PER_INCH = 72;
/** In units (ISO 32000-1, annex C; ISO 19005-2, 6.1.13). A unit is a point, or several. */
const LONGEST = 14_400;
const SHORTEST = 3;

export interface PagePlace extends Placed {
  /** Entries of the page: `MediaBox`, and `UserUnit` where a unit is not a point. */
  readonly entries: string;
}

/** A page longer than 200 inch has larger units; one shorter than 3 points gets white paper below or beside its image. */
export function pagePlace({ width, height, dpi }: Pick<DocumentPage, 'width' | 'height' | 'dpi'>): PagePlace {
  const longest = (Math.max(width, height) * POINTS_PER_INCH) / dpi;
  const unit = Math.max(1, Math.ceil(longest / LONGEST));
  const perPixel = POINTS_PER_INCH / dpi / unit;
  const [across, down] = [width * perPixel, height * perPixel];
  const [boxWidth, boxHeight] = [Math.max(SHORTEST, across), Math.max(SHORTEST, down)];
  return {
    entries: `/MediaBox [0 0 ${number(boxWidth)} ${number(boxHeight)}]` + (unit === 1 ? '' : ` /UserUnit ${unit}`),
    bottom: boxHeight - down,
    width: across,
    height: down,
    perPixel,
  };
}
