/** The words of a page's text, with boxes in pixels of the page instead of the image that the engine read. */
import type { Word } from '@platen/core/plugin';
import type { Line, Word as FoundWord } from './tsv.js';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * In the order of the text; lines are numbered from 0. Boxes are exact to a tenth of a pixel, and lie within the page.
 * @param paragraphs the lines of the text
 * @param image what the engine read: the page, enlarged or reduced
 */
export function pageWords(paragraphs: readonly (readonly Line[])[], image: Size, page: Size): Word[] {
  const [scaleX, scaleY] = [page.width / image.width, page.height / image.height];
  return paragraphs.flat().flatMap(({ words }, line) =>
    words.flatMap(unspaced).map(({ text, confidence, left, top, right, bottom }) => ({
      text,
      confidence: Math.min(Math.max(Math.round(confidence * 10) / 1000, 0), 1),
      ...side('x', 'width', left * scaleX, right * scaleX, page.width),
      ...side('y', 'height', top * scaleY, bottom * scaleY, page.height),
      line,
    })),
  );
}

/** A word that contains white space, as words beside each other: each letter has the same width. */
function unspaced(word: FoundWord): FoundWord[] {
  const { text, left, right } = word;
  const letter = (right - left) / text.length;
  return [...text.matchAll(/\S+/g)].map(({ 0: part, index }) => ({
    ...word,
    text: part,
    left: left + index * letter,
    right: left + (index + part.length) * letter,
  }));
}

/** One direction of a box: at least a tenth of a pixel. */
function side<P extends string, L extends string>(place: P, length: L, from: number, to: number, end: number) {
  const begin = Math.min(Math.max(Math.round(from * 10), 0), end * 10 - 1);
  const long = Math.max(Math.min(Math.round(to * 10), end * 10) - begin, 1);
  return { [place]: begin / 10, [length]: long / 10 } as Record<P | L, number>;
}
