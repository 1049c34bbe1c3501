/** Hits on neighbouring lines that are the bars of one patch code. */
import type { Hit } from './patterns.js';

export interface Patch {
  /** `w` and `n`, along the lines. */
  readonly bars: string;
  /** Pixel of the lines at the middle of the code. */
  readonly middle: number;
  /** How many lines it covers. */
  readonly lines: number;
}

/** Inches: Kodak's least length of the bars is 0.75. */
const LEAST_LENGTH = 0.7;
/** Of the lines that a patch covers; noise and folds hide some. */
const LEAST_SHARE = 0.7;
/** Of the lines of a barcode: all have its next bar. Text beside a patch is not under every line. */
const MOST_BESIDE = 0.8;
/** Lines without the code between two that have it. */
const GAP = 2;
/** Tangent of the most skew: 8°. */
const SLOPE = 0.14;

interface Chain {
  readonly first: number;
  last: number;
  count: number;
  beside: number;
  readonly begin: Hit;
  end: Hit;
}

/**
 * @param hits of each line
 * @param spacing pixels from one line to the next
 */
export function linkHits(hits: readonly (readonly Hit[])[], spacing: number, dpi: number): readonly Patch[] {
  const done: Chain[] = [];
  let open: Chain[] = [];
  const continues = ({ end, last }: Chain, hit: Hit, line: number): boolean =>
    end.bars === hit.bars &&
    last < line &&
    Math.abs(end.start - hit.start) <= (line - last) * spacing * SLOPE + 2 &&
    Math.abs(end.length - hit.length) <= 0.1 * end.length;
  for (const [line, its] of hits.entries()) {
    for (const hit of its) {
      const chain = open.find(each => continues(each, hit, line));
      const beside = hit.isBesideBar ? 1 : 0;
      if (chain) {
        Object.assign(chain, { last: line, count: chain.count + 1, beside: chain.beside + beside, end: hit });
      } else open.push({ first: line, last: line, count: 1, beside, begin: hit, end: hit });
    }
    const isOver = ({ last }: Chain): boolean => line - last > GAP;
    done.push(...open.filter(isOver));
    open = open.filter(each => !isOver(each));
  }
  return [...done, ...open]
    .filter(({ first, last, count, beside, begin, end }) => {
      const lines = last - first + 1;
      const isLong = lines * spacing >= LEAST_LENGTH * dpi;
      const isStraight = Math.abs(end.start - begin.start) <= lines * spacing * SLOPE + 2;
      return isLong && isStraight && count >= LEAST_SHARE * lines && beside < MOST_BESIDE * count;
    })
    .map(({ first, last, begin, end }) => ({
      bars: begin.bars,
      middle: (begin.start + end.start + (begin.length + end.length) / 2) / 2,
      lines: last - first + 1,
    }));
}
