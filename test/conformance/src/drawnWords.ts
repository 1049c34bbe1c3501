/** The words of a drawn page with the boxes of their ink, found in its pixels. */
import type { RawPage, Word } from '@platen/core/plugin';

/** Inches of white between two words; letters are closer. */
const WORD_GAP = 0.03;
const BLACK = 128;

/**
 * Lines are divided by white rows, words by white columns: of one column of upright text, as `plugins/ocr/samples`.
 * @param page grey
 * @param text a line of it for each on the page; empty lines are left out
 * @throws if the page has other lines, or a line other words than the text
 */
export function drawnWords({ width, height, stride, dpi, data }: RawPage, text: string): Word[] {
  const isInk = (x: number, y: number): boolean => data[y * stride + x]! < BLACK;
  const texts = text.split('\n').filter(line => line !== '');
  const rows = spans(height, 1, y => range(0, width).some(x => isInk(x, y)));
  if (rows.length !== texts.length) throw new Error(`${rows.length} lines are drawn, not ${texts.length}`);
  return rows.flatMap(([top, bottom], line) => {
    const words = texts[line]!.split(' ');
    const columns = spans(width, WORD_GAP * dpi, x => range(top, bottom).some(y => isInk(x, y)));
    if (columns.length !== words.length) throw new Error(`${columns.length} words are drawn in "${texts[line]}"`);
    return columns.map(([x, right], at) => {
      const ink = range(top, bottom).filter(y => range(x, right).some(each => isInk(each, y)));
      const [y, last] = [ink[0]!, ink.at(-1)!];
      return { text: words[at]!, confidence: 1, x, y, width: right - x, height: last + 1 - y, line };
    });
  });
}

/** Where something is, from the first to after the last; apart by at least the gap. */
function spans(end: number, gap: number, isThere: (at: number) => boolean): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const at of range(0, end).filter(isThere)) {
    const last = found.at(-1);
    if (last && at - last[1] < gap) last[1] = at + 1;
    else found.push([at, at + 1]);
  }
  return found;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
