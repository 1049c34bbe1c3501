/**
 * Paragraph segmentation by the pitch of lines. Tesseract's own paragraphs follow the lengths of lines, which splits
 * addresses and ragged text, and they differ from version to version.
 */
import type { Line } from './tsv.js';

/** Lines further apart than this times the pitch around them, or the usual pitch of the page, are two paragraphs. */
const WIDER = 1.25;
/** In line heights: double-spaced lines are one paragraph, lines further apart are not. */
const FURTHEST = 3.5;
/** The largest ratio of the heights of two lines of one paragraph. */
const HIGHER = 1.6;
/** In heights of a line. */
const INDENT = 0.8;

interface LineBox {
  readonly line: Line;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly baseline: number;
  /** A line from top to bottom, as in Japanese. */
  readonly vertical: boolean;
}

/** @returns the lines in their given order, one list per paragraph */
export function paragraphs(lines: readonly Line[]): Line[][] {
  const boxes = lines.map(boxOf);
  const pitches = boxes.map((box, i) => pitch(box, boxes[i + 1]));
  const usual = quantile(
    pitches.map((apart, i) => apart / highest(boxes[i], boxes[i + 1])).filter(Number.isFinite),
    0.5,
  );
  const found: Line[][] = [];
  boxes.forEach((box, i) => {
    const before = boxes[i - 1];
    const around = Math.min(usual * highest(before, box), ...[i - 2, i - 1, i].map(at => pitches[at] ?? Infinity));
    if (before && sameParagraph(before, box, pitches[i - 1] ?? Infinity, around)) found.at(-1)?.push(box.line);
    else found.push([box.line]);
  });
  return found;
}

function sameParagraph(above: LineBox, below: LineBox, apart: number, around: number): boolean {
  const split = above.line.paragraph !== below.line.paragraph;
  if (above.vertical && below.vertical) return !split;
  if (apart > around * WIDER) return false;
  // An indent begins a paragraph in books; in lists it does not, and Tesseract tells them apart.
  return !(split && below.left - above.left > below.height * INDENT);
}

/** The distance of two baselines in one column; infinite where the lower line does not continue the upper one. */
function pitch(above: LineBox, below: LineBox | undefined): number {
  if (!below) return Infinity;
  const apart = below.baseline - above.baseline;
  const [low, high] = [Math.min(above.height, below.height), highest(above, below)];
  const sameColumn = above.left < below.right && below.left < above.right;
  return sameColumn && apart > 0 && apart <= high * FURTHEST && high <= low * HIGHER ? apart : Infinity;
}

function highest(above: LineBox | undefined, below: LineBox | undefined): number {
  return Math.max(above?.height ?? 0, below?.height ?? 0);
}

function boxOf(line: Line): LineBox {
  const { words } = line;
  const left = Math.min(...words.map(word => word.left));
  const right = Math.max(...words.map(word => word.right));
  const height = quantile(
    words.map(word => word.bottom - word.top),
    0.9,
  );
  // At least a quarter of a line's words have no descender.
  const baseline = quantile(
    words.map(word => word.bottom),
    0.25,
  );
  const vertical =
    Math.max(...words.map(word => word.bottom)) - Math.min(...words.map(word => word.top)) > 2 * (right - left);
  return { line, left, right, height, baseline, vertical };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
