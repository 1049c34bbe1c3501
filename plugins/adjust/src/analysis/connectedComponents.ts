/** Connected components (4-connected, by runs and union-find), filtered by their size. */

export interface Mask {
  readonly width: number;
  readonly height: number;
  /** A byte a pixel, 1 for ink. */
  readonly data: Uint8Array;
}

/** In pixels; absent: no limit. */
export interface ComponentSize {
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  readonly minArea?: number;
}

/** Erases the components of any other size, in place. */
export function filterComponents({ width, height, data }: Mask, size: ComponentSize): void {
  const { maxWidth = Infinity, maxHeight = Infinity, minArea = 1 } = size;
  const { starts, ends, rowStarts } = runsOf({ width, height, data });
  const count = rowStarts[height]!;
  const parents = new Int32Array(count);
  for (let i = 0; i < count; i++) parents[i] = i;
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 1; y < height; y++) {
    let above = rowStarts[y - 1]!;
    const aboveEnd = rowStarts[y]!;
    for (let run = aboveEnd; run < rowStarts[y + 1]!; run++) {
      while (above < aboveEnd && ends[above]! < starts[run]!) above++;
      for (let each = above; each < aboveEnd && starts[each]! <= ends[run]!; each++) {
        const [a, b] = [rootOf(each), rootOf(run)];
        if (a < b) parents[b] = a;
        else parents[a] = b;
      }
    }
  }
  const left = new Int32Array(count).fill(width);
  const right = new Int32Array(count);
  const top = new Int32Array(count);
  const bottom = new Int32Array(count);
  const area = new Int32Array(count);
  for (let y = 0; y < height; y++) {
    for (let run = rowStarts[y]!; run < rowStarts[y + 1]!; run++) {
      const root = rootOf(run);
      if (area[root] === 0) top[root] = y;
      bottom[root] = y;
      area[root]! += ends[run]! - starts[run]!;
      if (starts[run]! < left[root]!) left[root] = starts[run]!;
      if (ends[run]! > right[root]!) right[root] = ends[run]!;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let run = rowStarts[y]!; run < rowStarts[y + 1]!; run++) {
      const root = rootOf(run);
      const fits = right[root]! - left[root]! <= maxWidth && bottom[root]! - top[root]! < maxHeight;
      const kept = area[root]! >= minArea && fits;
      if (!kept) data.fill(0, y * width + starts[run]!, y * width + ends[run]!);
    }
  }
}

interface Runs {
  readonly starts: Int32Array;
  /** One past the last pixel. */
  readonly ends: Int32Array;
  /** The first run of each row, and one past the last run of all. */
  readonly rowStarts: Int32Array;
}

function runsOf({ width, height, data }: Mask): Runs {
  const rowStarts = new Int32Array(height + 1);
  let count = 0;
  for (let y = 0, at = 0; y < height; y++) {
    rowStarts[y] = count;
    let before = 0;
    for (const end = at + width; at < end; at++) {
      const now = data[at]!;
      count += now & ~before;
      before = now;
    }
  }
  rowStarts[height] = count;
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let y = 0, run = 0; y < height; y++) {
    const at = y * width;
    for (let x = 0; x < width; x++) {
      if (!data[at + x]) continue;
      starts[run] = x;
      while (x < width && data[at + x]) x++;
      ends[run++] = x;
    }
  }
  return { starts, ends, rowStarts };
}
