/** Specks that are print: dots or broken letters close together, unlike dust. */
import type { Component } from './components.js';
import type { Marks } from './mask.js';

/** Millimetres: the square in which specks are counted. */
const SQUARE_MM = 7;
/** Specks in a square that are more than dust, and how many times the page's mean they are. */
const LEAST = 6;
const TIMES_MEAN = 5;
/** Cells; a smaller speck is grain. */
const LEAST_AREA = 2;

/** @returns the specks of squares that hold too many for dust */
export function specksAsPrint(specks: readonly Component[], marks: Marks): Component[] {
  const { perMm, width, height, from, to } = marks;
  const side = SQUARE_MM * perMm;
  const counted = specks.filter(({ area }) => area >= LEAST_AREA);
  if (counted.length < LEAST) return [];
  const area = from.reduce((sum, start, y) => sum + Math.max(0, to[y]! - start), 0);
  const mean = (counted.length * side * side) / Math.max(1, area);
  const least = Math.max(LEAST, TIMES_MEAN * mean);
  // Half squares, of which four neighbours make a square.
  const half = side / 2;
  const [wide, high] = [Math.ceil(width / half) + 1, Math.ceil(height / half) + 1];
  const halves: Component[][] = Array.from({ length: wide * high }, () => []);
  for (const each of counted) {
    const x = Math.floor((each.left + each.right) / 2 / half);
    const y = Math.floor((each.top + each.bottom) / 2 / half);
    halves[y * wide + x]!.push(each);
  }
  const print = new Set<Component>();
  for (let y = 0; y < high - 1; y++) {
    for (let x = 0; x < wide - 1; x++) {
      const at = y * wide + x;
      const four = [halves[at]!, halves[at + 1]!, halves[at + wide]!, halves[at + wide + 1]!];
      if (four.reduce((sum, each) => sum + each.length, 0) >= least) for (const each of four.flat()) print.add(each);
    }
  }
  return [...print];
}
