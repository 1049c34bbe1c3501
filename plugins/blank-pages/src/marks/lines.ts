/**
 * Lines from edge to edge of a sheet, and lines in equal distances: what paper is ruled with, folds and streaks. They
 * are taken out of the mask, so that writing across them is left.
 */
import type { Box, Marks } from './mask.js';

export interface Lines {
  /** Lines in equal distances. */
  readonly ruled: number;
  /** Single lines from edge to edge: folds, streaks of the scanner. */
  readonly single: number;
  /** Whether a box lies within the shadow of a single line. */
  isBeside(box: Box): boolean;
  /** Whether a box lies where lines in equal distances go on: a piece of one that was too pale or too short to be found. */
  isRule(box: Box): boolean;
}

/** Millimetres to each side of a fold. */
const BESIDE_MM = 4;

/** Degrees by which a sheet lies askew at most. */
const MOST_SKEW = 3.2;
const COARSE_STEP = 0.2;
const FINE_STEP = 0.04;
/** More marks are not looked at to find the angle. */
const MOST_POINTS = 5000;
/** Millimetres: the thickness of a line. */
const THICKEST_MM = 1.0;
/** The share of the sheet's width that a line covers at least: one of many, and a single one. */
const LEAST_COVERED = { ruled: 0.45, single: 0.8 } as const;
/** The share of a line without gaps. */
const LEAST_UNBROKEN = 0.8;
/** Millimetres from the sheet's edge at which a line from edge to edge may end. */
const EDGE_MM = 9;
/** Lines in equal distances are so many at least, and so far apart in millimetres. */
const LEAST_RULES = 5;
const PITCH_MM = { least: 3, most: 16 } as const;
/** They cover at least this share of the sheet across. */
const LEAST_RULED = 0.45;

/** Millimetres: the thickness of a piece of a rule, and how far off its place it lies. */
const PIECE_MM = 0.6;
const SLACK_MM = 0.35;

interface Line {
  /** Where it crosses the middle of the sheet, in cells. */
  readonly at: number;
  readonly slope: number;
  readonly fromEdgeToEdge: boolean;
}

/** The mask as rows or as columns: lines are looked for along `u`, and lie side by side along `v`. */
interface View {
  readonly mask: Uint8Array;
  /** Bytes from a cell to the next one along `u` and along `v`. */
  readonly uStep: number;
  readonly vStep: number;
  readonly breadth: number;
  readonly perMm: number;
  /** The sheet along the line, and across it. */
  readonly first: number;
  readonly last: number;
  readonly top: number;
  readonly bottom: number;
}

export function withoutLines(marks: Marks): Lines {
  let ruled = 0;
  const single: Lines['isBeside'][] = [];
  const grids: Lines['isRule'][] = [];
  for (const view of viewsOf(marks)) {
    if (view.last <= view.first || view.bottom <= view.top) continue;
    let points = pointsOf(view);
    // Rules have the sheet's angle, streaks run straight down whatever it is, folds have their own: each is a round.
    let found = 0;
    for (const fixed of [undefined, 0, undefined]) {
      if (points.us.length < LEAST_COVERED.ruled * 0.8 * (view.last - view.first)) break;
      const slope = fixed ?? bestSlope(points, view);
      const lines = linesAt(view, points, slope);
      const rules = rulesAmong(lines, view);
      const taken = lines.filter(line => line.fromEdgeToEdge || rules.has(line));
      for (const line of taken) erase(view, line);
      ruled += rules.size;
      if (rules.size > 0) grids.push(gridOf(view, [...rules], slope));
      for (const line of taken) if (!rules.has(line)) single.push(besides(view, line));
      if (taken.length > 0) points = pointsOf(view);
      else if (fixed === 0 && found === 0) break;
      found += taken.length;
    }
  }
  return {
    ruled,
    single: single.length,
    isBeside: box => single.some(isBeside => isBeside(box)),
    isRule: box => grids.some(isRule => isRule(box)),
  };
}

/** Whether a thin box lies on one of the lines, or where the next ones are. */
function gridOf({ perMm, uStep, first, last }: View, lines: readonly Line[], slope: number): (box: Box) => boolean {
  const ats = lines.map(({ at }) => at).sort((a, b) => a - b);
  const gaps = ats.slice(1).map((at, i) => at - ats[i]!);
  const usual = [...gaps].sort((a, b) => a - b)[gaps.length >> 1]!;
  const count = gaps.reduce((sum, gap) => sum + Math.round(gap / usual), 0);
  const pitch = (ats.at(-1)! - ats[0]!) / count;
  const slack = SLACK_MM * perMm + 1;
  return ({ left, top, right, bottom }) => {
    const [from, to, begin, end] = uStep === 1 ? [top, bottom, left, right] : [left, right, top, bottom];
    const drift = Math.abs(slope) * (end - begin);
    if (to - from > PIECE_MM * perMm + 1 + drift) return false;
    const v = (from + to - 1) / 2 - ((begin + end) / 2 - (first + last) / 2) * slope;
    // The nearest line that was found: distances add up over the sheet.
    const near = ats.reduce((best, at) => (Math.abs(at - v) < Math.abs(best - v) ? at : best));
    const off = (v - near) / pitch;
    return Math.abs(off - Math.round(off)) * pitch <= slack;
  };
}

/** Whether a box lies within the shadow of a line. */
function besides({ perMm, uStep, first, last }: View, { at, slope }: Line): (box: Box) => boolean {
  const reach = BESIDE_MM * perMm;
  return ({ left, top, right, bottom }) => {
    const [from, to, begin, end] = uStep === 1 ? [top, bottom, left, right] : [left, right, top, bottom];
    const v = at + ((begin + end) / 2 - (first + last) / 2) * slope;
    return from >= v - reach && to <= v + reach;
  };
}

function viewsOf({ width, height, perMm, mask, sheet: { left, top, right, bottom } }: Marks): View[] {
  const both = { mask, perMm };
  return [
    { ...both, uStep: 1, vStep: width, breadth: height, first: left, last: right, top, bottom },
    { ...both, uStep: width, vStep: 1, breadth: width, first: top, last: bottom, top: left, bottom: right },
  ];
}

function isMarked({ mask, uStep, vStep, breadth }: View, u: number, v: number): boolean {
  return v >= 0 && v < breadth && mask[u * uStep + v * vStep] === 1;
}

interface Points {
  readonly us: Int32Array;
  readonly vs: Int32Array;
}

/** The middles of thin runs across the line's direction; the rows of the mask are read in order in either view. */
function pointsOf(view: View): Points {
  const { mask, vStep, first, last, top, bottom } = view;
  const thickest = Math.max(2, Math.round(THICKEST_MM * view.perMm));
  const rows = view.uStep === 1;
  const width = rows ? vStep : view.uStep;
  const [y0, y1, x0, x1] = rows ? [top, bottom, first, last] : [first, last, top, bottom];
  let us = new Int32Array(1 << 14);
  let vs = new Int32Array(1 << 14);
  let count = 0;
  const end = y1 * width;
  for (let at = mask.indexOf(1, y0 * width); at >= 0 && at < end; at++) {
    // Marks are few: most cells are skipped at once.
    if (mask[at] === 0) at = mask.indexOf(1, at);
    if (at < 0 || at >= end) break;
    const y = Math.floor(at / width);
    const x = at - y * width;
    if (x < x0 || x >= x1) continue;
    const u = rows ? x : y;
    const v = rows ? y : x;
    if (v > top && mask[at - vStep] === 1) continue;
    let run = 1;
    while (run <= thickest && v + run < bottom && mask[at + run * vStep] === 1) run++;
    if (run > thickest) continue;
    if (count === us.length) [us, vs] = [grown(us), grown(vs)];
    us[count] = u;
    vs[count++] = v + ((run - 1) >> 1);
  }
  return { us: us.subarray(0, count), vs: vs.subarray(0, count) };
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

/** The slope at which the points gather in the fewest rows. */
function bestSlope({ us, vs }: Points, view: View): number {
  const every = Math.max(1, Math.floor(us.length / MOST_POINTS));
  const middle = (view.first + view.last) / 2;
  const margin = Math.ceil((view.last - view.first) * 0.06) + 2;
  const bins = new Int32Array(view.breadth + 2 * margin);
  const score = (slope: number): number => {
    bins.fill(0);
    // Never below 0, so that cutting rounds.
    const half = margin + middle * slope + 0.5;
    for (let i = 0; i < us.length; i += every) bins[(vs[i]! - us[i]! * slope + half) | 0]!++;
    let sum = 0;
    for (let i = 0; i < bins.length; i++) sum += bins[i]! * bins[i]!;
    return sum;
  };
  const best = (around: number, reach: number, step: number): number => {
    let found = around;
    let most = -1;
    for (let degrees = around - reach; degrees <= around + reach + 1e-9; degrees += step) {
      const each = score(Math.tan((degrees * Math.PI) / 180));
      if (each > most) [most, found] = [each, degrees];
    }
    return found;
  };
  const degrees = best(best(0, MOST_SKEW, COARSE_STEP), COARSE_STEP, FINE_STEP);
  return Math.tan((degrees * Math.PI) / 180);
}

function linesAt(view: View, { us, vs }: Points, slope: number): Line[] {
  const middle = (view.first + view.last) / 2;
  const margin = Math.ceil((view.last - view.first) * 0.06) + 2;
  const bins = new Int32Array(view.breadth + 2 * margin);
  for (let i = 0; i < us.length; i++) bins[Math.round(vs[i]! - (us[i]! - middle) * slope) + margin]!++;
  const least = LEAST_COVERED.ruled * (view.last - view.first) * 0.8;
  const lines: Line[] = [];
  for (let i = 1; i < bins.length - 1; i++) {
    const near = bins[i - 1]! + bins[i]! + bins[i + 1]!;
    if (near < least || bins[i]! < bins[i - 1]! || bins[i]! < bins[i + 1]!) continue;
    const line = traced(view, i - margin, slope, middle);
    if (line) {
      lines.push(line);
      i += 2;
    }
  }
  return lines;
}

/** Follows a line over the sheet; undefined if it is none. */
function traced(view: View, at: number, slope: number, middle: number): Line | undefined {
  let [first, last, marked] = [-1, -1, 0];
  let thick = 0;
  const reach = Math.max(3, Math.round(THICKEST_MM * view.perMm));
  for (let u = view.first; u < view.last; u++) {
    const v = Math.round(at + (u - middle) * slope);
    let centre = 0;
    // 0, -1, 1, -2, 2
    while (centre > -3 && !isMarked(view, u, v + centre)) centre = centre < 0 ? -centre : -centre - 1;
    if (centre === -3) continue;
    if (first < 0) first = u;
    last = u;
    marked++;
    let run = 1;
    for (let each = v + centre - 1; run <= reach && isMarked(view, u, each); each--) run++;
    for (let each = v + centre + 1; run <= reach && isMarked(view, u, each); each++) run++;
    if (run > reach) thick++;
  }
  const extent = last - first + 1;
  const whole = view.last - view.first;
  if (first < 0 || marked < LEAST_UNBROKEN * extent || extent < LEAST_COVERED.ruled * whole) return undefined;
  if (thick > 0.5 * marked) return undefined;
  const edge = EDGE_MM * view.perMm;
  const fromEdgeToEdge =
    marked >= LEAST_COVERED.single * whole && first - view.first <= edge && view.last - last <= edge;
  return { at, slope, fromEdgeToEdge };
}

/** Lines in equal distances that cover much of the sheet. */
function rulesAmong(lines: readonly Line[], view: View): ReadonlySet<Line> {
  if (lines.length < LEAST_RULES) return new Set();
  const gaps = lines.slice(1).map((line, i) => line.at - lines[i]!.at);
  const pitch = [...gaps].sort((a, b) => a - b)[gaps.length >> 1]!;
  const mm = pitch / view.perMm;
  if (mm < PITCH_MM.least || mm > PITCH_MM.most) return new Set();
  const regular = new Set<Line>();
  gaps.forEach((gap, i) => {
    const times = Math.round(gap / pitch);
    // A rule may be missing where it is too pale.
    if (times < 1 || times > 3 || Math.abs(gap - times * pitch) > 0.12 * pitch + 1) return;
    regular.add(lines[i]!).add(lines[i + 1]!);
  });
  const ats = [...regular].map(({ at }) => at);
  const covered = (Math.max(...ats) - Math.min(...ats)) / (view.bottom - view.top);
  return regular.size >= LEAST_RULES && covered >= LEAST_RULED ? regular : new Set();
}

/** Strokes across it stay. */
function erase(view: View, { at, slope }: Line): void {
  const middle = (view.first + view.last) / 2;
  const reach = Math.max(3, Math.round(THICKEST_MM * view.perMm));
  for (let u = view.first; u < view.last; u++) {
    const v = Math.round(at + (u - middle) * slope);
    let start = v - 2;
    while (start <= v + 2 && !isMarked(view, u, start)) start++;
    if (start > v + 2) continue;
    while (isMarked(view, u, start - 1) && v - start <= reach) start--;
    let end = start;
    while (isMarked(view, u, end) && end - start <= reach) end++;
    if (end - start > reach) continue;
    for (let each = start; each < end; each++) view.mask[u * view.uStep + each * view.vStep] = 0;
  }
}
