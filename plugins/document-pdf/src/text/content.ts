/**
 * The words of a page as operators of its content. Every number costs bytes on every page, so a line has one place, one
 * width of its letters and one of its spaces, as near as whole numbers come. A word is moved only where it would be off.
 */
import type { Word } from '@platen/core/plugin';
import { number } from '../syntax.js';
import { linesOf, median, textLine, type TextLine } from './lines.js';
import { createPen, type FontName, type Letters, type Pen } from './pen.js';
import { shownWords, spaces, type OtherCodes, type ShownWord } from './strings.js';

/** Of the content, per inch: whole numbers are exact enough. */
export const UNITS_PER_INCH = 300;

/** A size that differs by less from the last line's is the same; so are widths of letters. */
const SAME_SIZE = 0.1;
const SAME_WIDTH = 0.04;
/** In sizes, and in widths of the word: a word that is further off is moved. */
const FAR = 0.1;
const FAR_WORD = 0.15;
/** In sizes: a baseline that is further off is moved. */
const SAME_RISE = 0.1;
/** Thousandths of a size: a move is a multiple of it. */
const STEP = 50;
/** In sizes: poppler takes a space of less than 0.15 for none when it keeps the order of the content. */
const LEAST_SPACE = 0.18;
/** A word whose letters differ by more from the line's, and by more of the size, has its own width of letters. */
const UNLIKE = 0.2;
const UNLIKE_SIZES = 0.5;
/** In usual gaps. */
const WIDE_GAP = 2;
/** Percent. */
const [THINNEST, WIDEST] = [1, 1000];

export interface ContentPlace {
  /** Where the image is: the place of its lower edge, in units of the page. */
  readonly bottom: number;
  /** Units of the page per pixel of the image. */
  readonly perPixel: number;
}

/** @returns undefined if no word can be shown */
export function textContent(
  words: readonly Word[],
  { height, dpi }: { readonly height: number; readonly dpi: number },
  { bottom, perPixel }: ContentPlace,
  codesOf: OtherCodes,
): { readonly operators: string; readonly fonts: ReadonlySet<FontName> } | undefined {
  const perUnit = dpi / UNITS_PER_INCH;
  const inUnits = words.map(each => ({
    ...each,
    x: each.x / perUnit,
    y: each.y / perUnit,
    width: each.width / perUnit,
    height: each.height / perUnit,
  }));
  const pen = createPen();
  for (const line of linesOf(inUnits)) writeLine(textLine(line, height / perUnit), codesOf, pen);
  if (pen.fonts.size === 0) return undefined;
  const scale = number(perPixel * perUnit);
  return {
    operators: `q ${scale} 0 0 ${scale} 0 ${number(bottom)} cm BT 3 Tr\n${pen.written()}ET Q`,
    fonts: pen.fonts,
  };
}

function writeLine(line: TextLine, codesOf: OtherCodes, pen: Pen): void {
  for (const words of forwardRuns(shownWords(line.words, codesOf))) {
    const letters = lettersOf(words, line.size, pen.letters);
    const from = words[0]!.start;
    const [x, y] = line.goes === 'right' ? [line.x + from, line.y] : [line.x, line.y - from];
    pen.begin({ x: Math.round(x), y: Math.round(y), goes: line.goes }, letters);
    writeWords(words, letters, pen);
    pen.end();
  }
}

/** Words that follow each other: one that goes back begins a run. */
function forwardRuns(words: readonly ShownWord[]): ShownWord[][] {
  const runs: ShownWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    if (run && word.start >= run.at(-1)!.start) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function writeWords(words: readonly ShownWord[], line: Letters, pen: Pen): void {
  const { size } = line;
  let at = words[0]!.start;
  let least = at;
  let rise = 0;
  words.forEach((word, i) => {
    const ink = word.end - word.start;
    const next = words[i + 1];
    const reach = next ? next.start - at : 0;
    // A reader takes a gap for a space: letters are widened instead.
    const touches = next !== undefined && !word.spaceAfter && reach - ink < size;
    const own = touches ? stretchTo(word, reach, line, FAR * size) : stretchTo(word, ink, line, unlike(ink, size));
    pen.stretch(own);
    if (Math.abs(word.rise - rise) > SAME_RISE * size) {
      rise = Math.round(word.rise);
      pen.rise(rise);
    }
    pen.font(word.font);
    const scale = (size * own) / 100_000;
    const off = word.start - at;
    if (at < least || Math.abs(off) > Math.min(FAR * size, FAR_WORD * ink)) {
      const steps = (distance: number): number => distance / scale / STEP;
      const thousandths = Math.max(Math.round(steps(off)), Math.ceil(steps(least - at))) * STEP;
      pen.move(thousandths);
      at += thousandths * scale;
    }
    pen.show(word.string);
    at += word.width * scale;
    least = at;
    if (!next || !word.spaceAfter) return;
    least += LEAST_SPACE * size;
    const space = spaces[word.font];
    pen.show(space.string);
    at += space.width * scale + (word.font === 'T' ? (line.space * own) / 100 : 0);
  });
}

const unlike = (ink: number, size: number): number => Math.max(UNLIKE * ink, UNLIKE_SIZES * size);

/** How wide the letters of a word are, in percent: those of its line, unless the word would be off by more than `most`. */
function stretchTo({ width }: ShownWord, wanted: number, { size, stretch }: Letters, most: number): number {
  const natural = (width * size) / 1000;
  if (natural === 0 || wanted <= 0 || Math.abs((natural * stretch) / 100 - wanted) <= most) return stretch;
  return percent((wanted / natural) * 100);
}

const percent = (exact: number): number => Math.min(Math.max(Math.round(exact), THINNEST), WIDEST);

/** How wide letters and spaces are so that the words come to their places. */
function lettersOf(words: readonly ShownWord[], wanted: number, last: Letters | undefined): Letters {
  const size = near(wanted, last?.size, SAME_SIZE) ?? Math.max(Math.round(wanted), 1);
  const ink = words.reduce((sum, each) => sum + each.end - each.start, 0);
  const natural = (words.reduce((sum, each) => sum + each.width, 0) * size) / 1000;
  const exact = natural > 0 ? (ink / natural) * 100 : 100;
  const stretch = near(exact, last?.stretch, SAME_WIDTH) ?? percent(exact);
  const gaps = words.flatMap((word, i) => {
    const next = words[i + 1];
    return next && word.font === 'T' && word.spaceAfter ? [next.start - word.end] : [];
  });
  const usual = median(gaps);
  // Not those between the columns of a table.
  const even = gaps.filter(each => each < WIDE_GAP * usual);
  if (even.length === 0) return { size, stretch, space: last?.space ?? 0 };
  const shortage = (ink - (natural * stretch) / 100) / gaps.length;
  const gap = even.reduce((sum, each) => sum + each, 0) / even.length + shortage;
  return { size, stretch, space: Math.round((gap * 100) / stretch - (spaces.T.width * size) / 1000) };
}

/** The last value, if the wanted one is that near; by its share. */
function near(wanted: number, last: number | undefined, share: number): number | undefined {
  return last !== undefined && Math.abs(wanted / last - 1) < share ? last : undefined;
}
