/** Faint marks that are print: sharper than what shines through. */
import type { Plane } from '../page/plane.js';
import type { Component } from './components.js';
import type { Marks } from './mask.js';
import { addContrast, distancesOf, noContrast, sharpnessOf, type Contrast } from './sharpness.js';

/** Millimetres: faint marks within such a square are judged together. */
const TILE_MM = 25;
/** Levels: a stamp is not judged together with what shines through around it. */
const LEVELS = 14;
/** Samples that are looked at in a group; more make it no surer. */
const ENOUGH = 6000;
/** Patches of plain paper, and the side of each in samples. */
const PATCHES = 150;
const PATCH = 12;
/** Cells of faint marks in a group; fewer are grain. More are wanted where much shines through: bits of it look sharp. */
const LEAST_AREA = { usual: 12, through: 40 } as const;
/** Where there are few groups, softer marks are print, too: in doubt they are content. */
const LENIENT = 0.75;
/** Millimetres: strokes up to the one are thin, from the other on they are areas. */
const THIN_MM = 1.0;
const WIDE_MM = 2.2;
/** So many groups on this share of the sheet, half of them this much softer than print: the other side. */
const OTHER_SIDE = { groups: 8, share: 0.25, soft: 0.82 } as const;
/**
 * Print among what shines through is sharper or darker than that by these factors. Few cells are unsure: a hundred must be
 * sharper by 1 more, a thousand by 0.1.
 */
const AMONG = { sharper: 1.25, darker: 1.5, least: 0.9, cells: 100 } as const;

/** A faint mark and its depth in levels. */
export interface FaintMark {
  readonly component: Component;
  readonly depth: number;
}

interface Group {
  readonly contrast: Contrast;
  readonly members: Component[];
  readonly tile: number;
  area: number;
  runs: number;
  /** Of all members. */
  depths: number;
}

interface Judged extends Group {
  readonly sharpness: number;
  /** As a share of what print has at least. */
  readonly asPrint: number;
  readonly depth: number;
}

/**
 * @param marks `all`: the mask before lines were taken out of it
 * @returns those of the marks that are as sharp as print
 */
export function faintInk(
  faint: readonly FaintMark[],
  marks: Marks & { readonly all: Uint8Array },
  samples: Plane,
  side: number,
): Component[] {
  if (faint.length === 0) return [];
  const distances = distancesOf(samples);
  const plain = plainContrast(marks, samples, side);
  const judged: Judged[] = [];
  for (const group of groupsOf(faint, marks, samples, side)) {
    const { contrast, members, area, runs, depths } = group;
    const width = area / runs / marks.perMm;
    const share = Math.min(1, Math.max(0, (width - THIN_MM) / (WIDE_MM - THIN_MM)));
    const wanted = distances.thin + (distances.wide - distances.thin) * share;
    const sharpness = sharpnessOf(contrast, plain);
    if (sharpness === undefined || area < LEAST_AREA.usual) continue;
    judged.push({ ...group, sharpness, asPrint: sharpness / wanted, depth: depths / members.length });
  }
  return judged.filter(isPrintAmong(judged, marks)).flatMap(({ members }) => members);
}

function groupsOf(faint: readonly FaintMark[], marks: Marks, samples: Plane, side: number): readonly Group[] {
  const distances = distancesOf(samples);
  const size = TILE_MM * marks.perMm;
  const across = Math.ceil(marks.width / size) + 1;
  const groups = new Map<number, Group>();
  for (const { component, depth } of faint) {
    const { left, top, right, bottom, area, runs } = component;
    const isWide = area >= WIDE_MM * marks.perMm * runs.length;
    const tile = Math.floor((top + bottom) / 2 / size) * across + Math.floor((left + right) / 2 / size);
    const key = tile * 64 + Math.floor(depth / LEVELS) * 2 + (isWide ? 1 : 0);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { contrast: noContrast(), members: [], tile, area: 0, runs: 0, depths: 0 }));
    group.members.push(component);
    group.area += area;
    group.runs += runs.length;
    group.depths += depth;
    if (group.contrast.count >= ENOUGH) continue;
    const box = {
      left: (left - 1) * side,
      top: (top - 1) * side,
      right: (right + 1) * side,
      bottom: (bottom + 1) * side,
    };
    addContrast(group.contrast, samples, distances, box, ENOUGH);
  }
  return [...groups.values()];
}

function isPrintAmong(judged: readonly Judged[], marks: Marks): (group: Judged) => boolean {
  if (judged.length < OTHER_SIDE.groups) return ({ asPrint }) => asPrint >= LENIENT;
  const { left, top, right, bottom } = marks.sheet;
  const large = judged.filter(({ area }) => area >= LEAST_AREA.through);
  const isMuch = large.length >= OTHER_SIDE.groups;
  if (isMuch && median(large.map(({ asPrint }) => asPrint)) >= OTHER_SIDE.soft) return () => true;
  const tiles = new Set(judged.map(({ tile }) => tile)).size * (TILE_MM * marks.perMm) ** 2;
  if (!isMuch || tiles < OTHER_SIDE.share * (right - left) * (bottom - top))
    return ({ asPrint, area }) => asPrint >= 1 && area >= LEAST_AREA.through;
  const sharpness = median(large.map(each => each.sharpness));
  const depth = median(large.map(each => each.depth));
  return each =>
    each.asPrint >= 1 &&
    each.area >= AMONG.cells &&
    each.depth >= AMONG.least * depth &&
    (each.sharpness >= (AMONG.sharper + AMONG.cells / each.area) * sharpness ||
      (each.depth >= AMONG.darker * depth && each.sharpness >= sharpness));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Of paper without marks, at places spread over the sheet. */
function plainContrast(
  { width, from, to, all }: Pick<Marks, 'width' | 'from' | 'to'> & { readonly all: Uint8Array },
  samples: Plane,
  side: number,
): Contrast {
  const sum = noContrast();
  const distances = distancesOf(samples);
  const rows = from.length;
  let found = 0;
  for (let n = 0; n < PATCHES * 4 && found < PATCHES; n++) {
    const y = Math.floor(((n * 0.618034) % 1) * rows);
    const x = from[y]! + Math.floor(((n * 0.754878) % 1) * (to[y]! - from[y]!));
    const reach = Math.ceil((PATCH + distances.far) / side);
    if (x + reach >= to[y]! || y + reach >= rows || !isPlain(all, width, x, y, reach)) continue;
    found++;
    addContrast(
      sum,
      samples,
      distances,
      {
        left: x * side + distances.far,
        top: y * side + distances.far,
        right: x * side + distances.far + PATCH,
        bottom: y * side + distances.far + PATCH,
      },
      Infinity,
    );
  }
  return sum;
}

function isPlain(mask: Uint8Array, width: number, left: number, top: number, reach: number): boolean {
  for (let y = top; y < top + reach; y++)
    for (let x = left; x < left + reach; x++) if (mask[y * width + x]) return false;
  return true;
}
