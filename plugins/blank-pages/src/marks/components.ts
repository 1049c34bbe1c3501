/** Marks that hang together: 8-connected components of a mask, by runs and union-find. */
import type { Marks } from './mask.js';

/** In cells; `right` and `bottom` are one past the last. */
export interface Component {
  left: number;
  top: number;
  right: number;
  bottom: number;
  area: number;
  /** The numbers of its runs. */
  readonly runs: number[];
}

export interface Components {
  readonly all: readonly Component[];
  /** Of each run: its row, its first cell and one past its last. */
  readonly rows: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export function componentsOf({
  width,
  height,
  mask,
  from,
  to,
}: Pick<Marks, 'width' | 'height' | 'mask' | 'from' | 'to'>): Components {
  const rows: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const parents: number[] = [];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  let above = 0;
  for (let y = 0; y < height; y++) {
    const begin = starts.length;
    let other = above;
    const row = y * width;
    for (let x = from[y]!; x < to[y]!; x++) {
      if (!mask[row + x]) continue;
      const start = x;
      while (x < to[y]! && mask[row + x]) x++;
      const run = starts.length;
      rows.push(y);
      starts.push(start);
      ends.push(x);
      parents.push(run);
      while (other < begin && ends[other]! < start) other++;
      for (let each = other; each < begin && starts[each]! <= x; each++) {
        const [a, b] = [rootOf(each), rootOf(run)];
        if (a < b) parents[b] = a;
        else parents[a] = b;
      }
    }
    above = begin;
  }
  const byRoot = new Map<number, Component>();
  for (let run = 0; run < starts.length; run++) {
    const root = rootOf(run);
    const [y, left, right] = [rows[run]!, starts[run]!, ends[run]!];
    const known = byRoot.get(root);
    if (!known) {
      byRoot.set(root, { left, top: y, right, bottom: y + 1, area: right - left, runs: [run] });
      continue;
    }
    known.left = Math.min(known.left, left);
    known.right = Math.max(known.right, right);
    known.bottom = y + 1;
    known.area += right - left;
    known.runs.push(run);
  }
  return {
    all: [...byRoot.values()],
    rows: Int32Array.from(rows),
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
  };
}
