/** Finds the patch code of a page: lines across the bars that agree with their neighbours. */
import type { PatchCode } from '@platen/core/plugin';
import type { GreyImage } from './greyImage.js';
import { linkHits, type Patch } from './patches.js';
import { codeOf, hitsOn, type Hit } from './patterns.js';
import { runsOf } from './runs.js';

/** Inches between two lines. */
const SPACING = 0.08;
/** Inches beside a line that belong to it: noise is averaged, and a skew of 5° does not blur the bars. */
const LINE_WIDTH = 0.04;

/**
 * The bars of a sheet that was fed with its top or bottom edge first lie across the page; those of one that was fed
 * sideways stand. The first bar is the one next to the nearer edge of the page.
 */
export function findPatch(image: GreyImage): PatchCode | undefined {
  for (const across of [true, false]) {
    const { patches, length } = patchesIn(image, across);
    const outer = patches.map(patch => ({ ...patch, fromEnd: patch.middle > length / 2 }));
    // The edge that was fed first is mostly the image's first row.
    const [first] = outer.sort((a, b) => Number(a.fromEnd) - Number(b.fromEnd) || b.lines - a.lines);
    if (first) return codeOf(first.fromEnd ? [...first.bars].reverse().join('') : first.bars);
  }
  return undefined;
}

/** @param across whether the bars lie across the page, so that lines go down */
function patchesIn(
  { width, height, dpi, data }: GreyImage,
  across: boolean,
): { patches: readonly Patch[]; length: number } {
  const [length, breadth] = across ? [height, width] : [width, height];
  const [along, beside] = across ? [width, 1] : [1, width];
  const spacing = Math.max(1, Math.round(SPACING * dpi));
  const lineWidth = Math.max(1, Math.round(LINE_WIDTH * dpi));
  const line = new Uint8Array(length);
  const hits: (readonly Hit[])[] = [];
  for (let from = 0; from + lineWidth <= breadth; from += spacing) {
    for (let at = 0, pixel = from * beside; at < length; at++, pixel += along) {
      let sum = 0;
      for (let each = 0, next = pixel; each < lineWidth; each++, next += beside) sum += data[next]!;
      line[at] = sum / lineWidth;
    }
    hits.push(hitsOn(runsOf(line, dpi), length, dpi));
  }
  return { patches: linkHits(hits, spacing, dpi), length };
}
