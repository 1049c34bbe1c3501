/** Marks: the cells of a sheet that differ from the paper around them. */
import type { Cells } from '../page/cells.js';
import type { Sheet } from '../page/sheet.js';
import { filled, type Tiles } from '../page/tiles.js';

/** In cells; `right` and `bottom` are one past the last. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Marks {
  readonly width: number;
  readonly height: number;
  /** Cells a millimetre. */
  readonly perMm: number;
  /** 1 for a mark. */
  readonly mask: Uint8Array;
  /** Levels between the paper and the mean of a cell. */
  readonly depth: Uint8Array;
  /** In cells, for each row: the sheet without its edges, from `from` to before `to`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The box around it. */
  readonly sheet: Box;
  /** In cells, for each column: the sheet without its edges, from `upper` to before `lower`. */
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  /** The paper's tone where most of it has it, 0 to 255. */
  readonly paper: number;
  /** Levels by which cells of plain paper scatter. */
  readonly grain: number;
  /** The tone of the paper under each tile, with marks up to 22 mm filled in. */
  readonly ground: Uint8Array;
}

/** Millimetres: a wider mark is part of the ground. */
const WIDEST_MARK_MM = 22;
/** Levels of the faintest mark. */
const FAINTEST = 8;
/** Faintest marks on a page with grain: so many times its scatter. */
const GRAINS = 4.5;
/** A single sample that differs by so many levels is a mark, too: a hairline. */
const HAIRLINE = 30;
/** The paper's grain is measured in one of so many rows. */
const SOME_ROWS = 4;
/** Paper darker than this may be written on in a lighter colour. */
const DARK_PAPER = 205;

export function marksOf(cells: Cells, tiles: Tiles, sheet: Sheet, edgeMm: number): Marks {
  const { width, height, perMm, mean, darkest } = cells;
  const radius = Math.max(1, Math.round((WIDEST_MARK_MM / 2) * tiles.perMm));
  const ground = filled(tiles.lightest, tiles.width, tiles.height, radius, 'lightest');
  const paper = medianWithin(ground, tiles, sheet);
  const { from, to } = spansOf(cells, tiles, sheet, edgeMm);
  const groundAt = toneOf(ground, tiles, cells);
  const tones = new Uint8Array(width);
  // The lightest cell of a tile is lighter than the paper by its grain: by how much, some rows tell.
  const above = new Int32Array(256);
  const hairs = new Int32Array(256);
  for (let y = 1; y < height; y += SOME_ROWS) {
    groundAt(y, tones);
    for (let x = from[y]!, at = y * width + x, end = to[y]!; x < end; x++, at++) {
      const tone = tones[x]!;
      above[Math.max(0, tone - mean[at]!)]!++;
      hairs[Math.max(0, tone - darkest[at]!)]!++;
    }
  }
  const plain = { mean: quantile(above, 0.5), darkest: quantile(hairs, 0.5) };
  // The standard deviation by the quantiles of the lighter half: it has no marks.
  const grain = Math.max(0.5, (plain.mean - quantile(above, 0.1)) / 1.28);
  const least = Math.max(FAINTEST, GRAINS * grain);
  const leastHair = Math.max(HAIRLINE, 2.5 * least) + plain.darkest;
  const mask = new Uint8Array(width * height);
  const depth = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    groundAt(y, tones);
    for (let x = from[y]!, at = y * width + x, end = to[y]!; x < end; x++, at++) {
      const tone = tones[x]!;
      const deep = tone - mean[at]! - plain.mean;
      if (deep > 0) depth[at] = deep;
      if (deep >= least || tone - darkest[at]! >= leastHair) mask[at] = 1;
    }
  }
  if (paper < DARK_PAPER && tiles.lightest.some(tone => tone > paper + least))
    lighterMarks(cells, tiles, radius, { from, to, mask, depth, least, paper });
  return { width, height, perMm, mask, depth, from, to, ...outlineOf(from, to, width), paper, grain, ground };
}

/** Marks lighter than the paper, as on black. Holes, which are darker, are filled in first. */
function lighterMarks(
  cells: Cells,
  tiles: Tiles,
  radius: number,
  {
    from,
    to,
    mask,
    depth,
    least,
    paper,
  }: Pick<Marks, 'from' | 'to' | 'mask' | 'depth' | 'paper'> & { readonly least: number },
): void {
  const { width, mean } = cells;
  const half = Math.max(1, Math.round(radius / 2));
  const whole = filled(tiles.lightest, tiles.width, tiles.height, half, 'lightest');
  const ground = filled(whole, tiles.width, tiles.height, radius, 'darkest');
  const groundAt = toneOf(ground, tiles, cells);
  const tones = new Uint8Array(width);
  for (let y = 0; y < cells.height; y++) {
    groundAt(y, tones);
    for (let x = from[y]!, at = y * width + x, end = to[y]!; x < end; x++, at++) {
      const lighter = mean[at]! - Math.max(tones[x]!, paper);
      if (lighter < least || mask[at]) continue;
      mask[at] = 1;
      depth[at] = lighter;
    }
  }
}

/** Writes the tones of the ground under a row of cells, each between those of the tiles around it; in 1/256. */
function toneOf(
  ground: Uint8Array,
  { width: wide, height: high, side }: Tiles,
  { width }: Cells,
): (y: number, tones: Uint8Array) => void {
  const columns = new Int32Array(width);
  const shares = new Int32Array(width);
  for (let x = 0; x < width; x++) {
    const place = Math.min(wide - 1, Math.max(0, (x + 0.5) / side - 0.5));
    columns[x] = Math.min(Math.max(0, wide - 2), Math.floor(place));
    shares[x] = (place - columns[x]!) * 256;
  }
  const row = new Int32Array(wide + 1);
  return (y, tones) => {
    const place = Math.min(high - 1, Math.max(0, (y + 0.5) / side - 0.5));
    const upper = Math.min(Math.max(0, high - 2), Math.floor(place));
    const share = Math.floor((place - upper) * 256);
    const lower = Math.min(high - 1, upper + 1);
    for (let x = 0; x < wide; x++) {
      const a = ground[upper * wide + x]!;
      row[x] = a * 256 + (ground[lower * wide + x]! - a) * share;
    }
    row[wide] = row[wide - 1]!;
    for (let x = 0; x < tones.length; x++) {
      const column = columns[x]!;
      const a = row[column]!;
      tones[x] = (a * 256 + (row[column + 1]! - a) * shares[x]!) >> 16;
    }
  };
}

/** What the spans of rows are as spans of columns, and the box around them. */
function outlineOf(from: Int32Array, to: Int32Array, width: number): Pick<Marks, 'sheet' | 'upper' | 'lower'> {
  const upper = new Int32Array(width);
  const lower = new Int32Array(width);
  let [left, top, right, bottom] = [width, 0, 0, 0];
  for (let y = 0; y < from.length; y++) {
    if (to[y]! <= from[y]!) continue;
    left = Math.min(left, from[y]!);
    right = Math.max(right, to[y]!);
    if (bottom === 0) top = y;
    bottom = y + 1;
    for (let x = from[y]!; x < to[y]!; x++) {
      if (lower[x] === 0) upper[x] = y;
      lower[x] = y + 1;
    }
  }
  return { sheet: { left, top, right, bottom }, upper, lower };
}

/** The sheet in cells, without a margin: where it ends, its edge throws a shadow. */
function spansOf(
  { width, height, perMm }: Cells,
  tiles: Tiles,
  sheet: Sheet,
  edgeMm: number,
): Pick<Marks, 'from' | 'to'> {
  const edge = Math.min(edgeMm * perMm, width / 10, height / 10);
  const from = new Int32Array(height);
  const to = new Int32Array(height);
  const reach = Math.ceil(edge / tiles.side);
  for (let y = 0; y < height; y++) {
    const tile = Math.min(tiles.height - 1, Math.floor(y / tiles.side));
    let left = 0;
    let right = tiles.width;
    for (const each of [tile - reach, tile, tile + reach]) {
      const inside = sheet.surrounded || (each >= 0 && each < tiles.height);
      if (!inside) continue;
      left = Math.max(left, sheet.from[each] ?? tiles.width);
      right = Math.min(right, sheet.to[each] ?? 0);
    }
    const outside = y < edge || y >= height - edge;
    const last = right === tiles.width ? width : right * tiles.side;
    from[y] = Math.min(width, Math.round(left * tiles.side + edge));
    to[y] = outside ? from[y]! : Math.max(from[y]!, Math.round(last - edge));
  }
  return { from, to };
}

function medianWithin(tones: Uint8Array, { width, height }: Tiles, { from, to }: Sheet): number {
  const counts = new Int32Array(256);
  for (let y = 0; y < height; y++) for (let x = from[y]!; x < to[y]!; x++) counts[tones[y * width + x]!]!++;
  return quantile(counts, 0.5);
}

function quantile(counts: Int32Array, share: number): number {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  let sum = 0;
  for (let value = 0; value < counts.length; value++) {
    sum += counts[value]!;
    if (sum > wanted) return value;
  }
  return 0;
}
