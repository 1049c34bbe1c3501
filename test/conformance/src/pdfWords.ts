/** Where a reader of PDF finds the words of a document, and how many of them are where they were drawn. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Turn, Word } from '@platen/core/plugin';

/** Of a page as it is shown, from its left and top edge. */
export interface WordBox {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A word is in its place if it covers this share of the true box, */
const COVERED = 0.5;
/** and has no more than this area of it: boxes of text are as high as a line, those of ink as high as the word. */
const LARGEST = 4;

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

/** @returns for each page the words that `pdftotext -bbox` finds, in its order; in points */
export async function pdfWords(file: string): Promise<WordBox[][]> {
  const most = { maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('pdftotext', ['-bbox', file, '-'], most);
  return stdout.split('<page ').slice(1).map(wordsOfPage);
}

function wordsOfPage(html: string): WordBox[] {
  const words = html.matchAll(/<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)<\/word>/g);
  return [...words].map(([, left, top, right, bottom, text]) => ({
    text: text!.replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity),
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }));
}

/** The words of a page as they are seen when it is turned; in points. */
export function turnedWords(
  words: readonly Word[],
  { width, height, dpi }: { readonly width: number; readonly height: number; readonly dpi: number },
  turn: Turn,
): WordBox[] {
  const point = (pixels: number): number => (pixels * 72) / dpi;
  return words.map(({ text, x, y, ...size }) => {
    const [left, top, right, bottom] = [x, y, x + size.width, y + size.height];
    const corners = {
      0: [left, top, right, bottom],
      90: [height - bottom, left, height - top, right],
      180: [width - right, height - bottom, width - left, height - top],
      270: [top, width - right, bottom, width - left],
    }[turn].map(point) as [number, number, number, number];
    return { text, left: corners[0], top: corners[1], right: corners[2], bottom: corners[3] };
  });
}

/** The share of the true words that are found in their places: see `COVERED` and `LARGEST`. Each is found once. */
export function shareInPlace(found: readonly WordBox[], truth: readonly WordBox[]): number {
  const left = [...found];
  const inPlace = truth.filter(word => {
    const at = left.findIndex(
      each =>
        each.text === word.text && common(each, word) >= COVERED * area(word) && area(each) <= LARGEST * area(word),
    );
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return inPlace.length / truth.length;
}

type Box = Omit<WordBox, 'text'>;

const area = ({ left, top, right, bottom }: Box): number => Math.max(right - left, 0) * Math.max(bottom - top, 0);

function common(one: Box, other: Box): number {
  return area({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
}
