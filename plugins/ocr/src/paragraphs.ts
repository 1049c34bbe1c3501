/**
 * Which lines are one paragraph, from where they stand. Tesseract's own paragraphs follow the lengths of lines, so that addresses and ragged text fall
 * apart, and differ from one version of it to the next.
 */
import type { Line } from './tableLines.js';

/** Further apart than this times the distance of the lines around them, or of such lines on this page, lines are two paragraphs. */
const WIDER = 1.25;
/** Double-spaced lines are one paragraph, lines further apart than this many heights of a capital are not. */
const FURTHEST = 3.5;
/** Lines of one paragraph are about as high as each other. */
const HIGHER = 1.6;
/** In heights of a line. */
const INDENT = 0.8;

interface Place {
  readonly line: Line;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly baseline: number;
  /** A line from top to bottom, as in Japanese. */
  readonly upright: boolean;
}

/** @returns the lines in the order in which they came, one list a paragraph */
export function paragraphs(lines: readonly Line[]): Line[][] {
  const places = lines.map(placeOf);
  const pitches = places.map((place, i) => pitch(place, places[i + 1]));
  const usual = quantile(pitches.map((apart, i) => apart / highest(places[i], places[i + 1])).filter(Number.isFinite), 0.5);
  const found: Line[][] = [];
  places.forEach((place, i) => {
    const before = places[i - 1];
    const around = Math.min(usual * highest(before, place), ...[i - 2, i - 1, i].map(at => pitches[at] ?? Infinity));
    if (before && together(before, place, pitches[i - 1] ?? Infinity, around)) found.at(-1)?.push(place.line);
    else found.push([place.line]);
  });
  return found;
}

function together(above: Place, below: Place, apart: number, around: number): boolean {
  const told = above.line.paragraph !== below.line.paragraph;
  if (above.upright && below.upright) return !told;
  if (apart > around * WIDER) return false;
  // Books begin a paragraph with an indent; so do lists, which Tesseract knows apart.
  return !(told && below.left - above.left > below.height * INDENT);
}

/** From one line to the next in the same column, between the lines that letters stand on; infinite where that one is no continuation. */
function pitch(above: Place, below: Place | undefined): number {
  if (!below) return Infinity;
  const apart = below.baseline - above.baseline;
  const [low, high] = [Math.min(above.height, below.height), highest(above, below)];
  const sameColumn = above.left < below.right && below.left < above.right;
  return sameColumn && apart > 0 && apart <= high * FURTHEST && high <= low * HIGHER ? apart : Infinity;
}

function highest(above: Place | undefined, below: Place | undefined): number {
  return Math.max(above?.height ?? 0, below?.height ?? 0);
}

function placeOf(line: Line): Place {
  const { words } = line;
  const left = Math.min(...words.map(word => word.left));
  const right = Math.max(...words.map(word => word.right));
  const height = quantile(words.map(word => word.bottom - word.top), 0.9);
  // A quarter of a line's words at least has no letter that reaches below.
  const baseline = quantile(words.map(word => word.bottom), 0.25);
  const upright = Math.max(...words.map(word => word.bottom)) - Math.min(...words.map(word => word.top)) > 2 * (right - left);
  return { line, left, right, height, baseline, upright };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
