/** Seeded region growing over the cells of a gradient map. */
import type { Box } from '../geometry.js';
import { CELL, type GradientMap } from './gradientMap.js';

type Grid = Pick<GradientMap, 'columns' | 'rows'>;

/**
 * Grows a region from each seed to those of its eight neighbours that join it, and on from there.
 * @returns the cells of each region, as indices of the grid; a cell belongs to one region at most
 */
export function growRegions(
  { columns, rows }: Grid,
  isSeed: (cell: number) => boolean,
  joins: (from: number, to: number) => boolean,
): number[][] {
  const taken = new Uint8Array(columns * rows);
  const regions: number[][] = [];
  for (let start = 0; start < taken.length; start++) {
    if (taken[start] || !isSeed(start)) continue;
    const cells = [start];
    taken[start] = 1;
    for (let next = 0; next < cells.length; next++) {
      const from = cells[next]!;
      const [column, row] = [from % columns, Math.floor(from / columns)];
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          const to = y * columns + x;
          if (taken[to] || !joins(from, to)) continue;
          taken[to] = 1;
          cells.push(to);
        }
      }
    }
    regions.push(cells);
  }
  return regions;
}

/** The bounding box of the cells, in pixels. */
export function boxOfCells({ columns }: Grid, cells: readonly number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (const cell of cells) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return { left: left * CELL, top: top * CELL, right: right * CELL, bottom: bottom * CELL };
}
