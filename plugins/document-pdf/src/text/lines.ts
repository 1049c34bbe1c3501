/** Lines of text from words with boxes: where the baseline runs, and how large the letters are. */
import type { Word } from '@platen/core/plugin';
import { hasRightToLeft, visualOrder } from './direction.js';

/** Of letters, in sizes of the font: what rises above the x-height, and what hangs below the baseline. */
export const ASCENT = 0.7;
export const DESCENT = 0.2;
const X_HEIGHT = 0.47;

/** A line whose words drift further than this from a level baseline, in sizes of the font, slopes. */
const LEVEL = 0.25;
/** A line this many times as high as it is wide runs from top to bottom. */
const VERTICAL = 2;
/** No letter is smaller, in units. */
const SMALLEST = 1;

export interface PlacedWord {
  readonly text: string;
  /** Along the line, from its origin; in units. */
  readonly start: number;
  readonly end: number;
  /** How far its baseline is above that of the line, which goes straight on: the text on paper may slope. */
  readonly rise: number;
}

/** To the right, or down: the letters then lie on their right side. */
export type Direction = 'right' | 'down';

/** Units are those of the words' boxes. `y` grows upwards. */
export interface TextLine {
  readonly words: readonly PlacedWord[];
  /** A point of the baseline, from which words are placed. */
  readonly x: number;
  readonly y: number;
  readonly goes: Direction;
  /** Of the font. */
  readonly size: number;
}

/** @param words of one line. @param height of the page */
export function textLine(words: readonly Word[], height: number): TextLine {
  return isVertical(words) ? verticalLine(words, height) : levelLine(words, height);
}

/** The lines of words in reading order. */
export function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line?.[0]?.line === word.line) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

function isVertical(words: readonly Word[]): boolean {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const across = most(words.map(right)) - least(words.map(left));
  const down = most(words.map(bottom)) - least(words.map(top));
  return letters > 1 && down > VERTICAL * across;
}

function verticalLine(words: readonly Word[], height: number): TextLine {
  const size = Math.max(median(words.map(each => each.width)) / (ASCENT + DESCENT), SMALLEST);
  const x = median(words.map(left)) + DESCENT * size;
  const from = least(words.map(top));
  const placed = words.map(each => ({ text: each.text, start: top(each) - from, end: bottom(each) - from, rise: 0 }));
  return { words: placed, x, y: height - from, goes: 'down', size };
}

function levelLine(words: readonly Word[], height: number): TextLine {
  const from = least(words.map(left));
  const to = most(words.map(right));
  const telling = words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const shown = telling.length > 0 ? telling : words;
  let fit = fitLine(shown, from, 0);
  const slope = slopeOf(fit.baselines);
  if (Math.abs(slope) * (to - from) > LEVEL * fit.size) fit = fitLine(shown, from, slope);
  const placed = words.map(each => ({
    text: each.text,
    start: left(each) - from,
    end: right(each) - from,
    rise: -fit.slope * (each.x + each.width / 2 - from),
  }));
  const baseline = median(fit.baselines.map(([x, y]) => y - fit.slope * (x - from)));
  return { words: asSeen(placed), x: from, y: height - baseline, goes: 'right', size: fit.size };
}

/** From left to right, as readers expect it of every script. */
function asSeen(words: readonly PlacedWord[]): readonly PlacedWord[] {
  if (!words.some(each => hasRightToLeft(each.text))) return words;
  const seen = words.map(each => ({ ...each, text: visualOrder(each.text) }));
  return seen.sort((a, b) => a.start - b.start);
}

interface Fit {
  readonly slope: number;
  readonly size: number;
  /** The middle of each word's baseline; y grows downwards. */
  readonly baselines: readonly (readonly [x: number, y: number])[];
}

/** What the box of each word says of the letters' size and their baseline, if the line has this slope. */
function fitLine(words: readonly Word[], from: number, slope: number): Fit {
  const shapes = words.map(word => {
    // The box of a word that goes up or down is higher by this.
    const slant = Math.min(Math.abs(slope) * word.width, word.height / 2);
    return { word, ...extentOf(word.text), height: word.height - slant, bottom: bottom(word) - slant / 2 };
  });
  const size = Math.max(median(shapes.map(each => each.height / (each.rise + each.hang))), SMALLEST);
  return {
    slope,
    size,
    baselines: shapes.map(each => [each.word.x + each.word.width / 2, each.bottom - each.hang * size]),
  };
}

/** How far the ink of a word reaches, in sizes of the font. Scripts that are not known here fill a line's height. */
function extentOf(text: string): { readonly rise: number; readonly hang: number } {
  const western = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}]*$/u.test(text);
  if (!western) return { rise: ASCENT, hang: DESCENT };
  return {
    rise: /[^acegm-su-z.,:;_-]/.test(text) ? ASCENT : X_HEIGHT,
    hang: /[gjpqy,;()[\]{}|Q$/]/.test(text) ? DESCENT : 0,
  };
}

/** By least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1): number => points.reduce((sum, each) => sum + each[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0) / spread;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Of any number of values. */
const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other), Infinity);
const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), -Infinity);

const left = ({ x }: Word): number => x;
const right = ({ x, width }: Word): number => x + width;
const top = ({ y }: Word): number => y;
const bottom = ({ y, height }: Word): number => y + height;
