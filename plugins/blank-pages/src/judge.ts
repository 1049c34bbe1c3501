/** Decides whether a page is blank: what is left on it once paper and scanner are subtracted. */
import type { Blank } from '@platen/core/plugin';
import { componentsOf, type Component } from './marks/components.js';
import { isFold } from './marks/folds.js';
import { dropEchoes } from './marks/echoes.js';
import { withoutLines } from './marks/lines.js';
import { marksOf, type Marks } from './marks/mask.js';
import { picturesOn } from './marks/pictures.js';
import { combHoles, isEdge, isHole, isSpeck, isStaple } from './marks/shapes.js';
import { faintInk, type FaintMark } from './marks/faint.js';
import { specksAsPrint } from './marks/specks.js';
import { cellsOf } from './page/cells.js';
import { samplesOf } from './page/samples.js';
import type { PageRows } from './page/sharedRows.js';
import { sheetOf } from './page/sheet.js';
import { tilesOf } from './page/tiles.js';

/** Millimetres at the edges of a sheet that are not looked at: its shadow, and the scanner's own edge. */
const EDGE_MM = 1.5;
/** Levels, as a share of the paper's tone: nothing shines through as dark as this. */
const SURE = 0.2;
/** The same for the shadow of a fold. */
const FOLD = 0.45;

export function judge(rows: PageRows): Blank {
  const samples = samplesOf(rows);
  const cells = cellsOf(samples);
  const tiles = tilesOf(cells);
  const sheet = sheetOf(tiles);
  const marks = marksOf(cells, tiles, sheet, EDGE_MM);
  const pictures = picturesOn(marks, tiles, sheet);
  // Paper's grain is measured where nothing is, lines neither.
  const all = marks.mask.slice();
  const lines = withoutLines(marks);
  dropEchoes(marks);
  const components = componentsOf(marks);

  const kinds = { fold: 0, hole: 0, staple: 0, speck: 0, edge: 0 };
  const specks: Component[] = [];
  const rest: Component[] = [];
  const large = components.all.filter(each => {
    if (lines.isRule(each)) return false;
    if (!isSpeck(each, marks)) return true;
    specks.push(each);
    return false;
  });
  const comb = combHoles(large, components, marks);
  for (const each of large) {
    if (comb.has(each) || isHole(each, components, marks)) kinds.hole++;
    else if (isEdge(each, marks)) kinds.edge++;
    else if (isStaple(each, components, marks)) kinds.staple++;
    else if (isFold(each, components, marks) && deepest(each, components, marks) < FOLD * marks.paper) kinds.fold++;
    else rest.push(each);
  }
  rest.push(...specksAsPrint(specks, marks));
  const sure: Component[] = [];
  const faint: FaintMark[] = [];
  for (const each of rest) {
    const depth = deepest(each, components, marks);
    if (depth >= Math.max(40, SURE * marks.paper)) sure.push(each);
    else if (!lines.isBeside(each)) faint.push({ component: each, depth });
  }
  // Faint marks decide only where nothing else does.
  const isSure = sure.length > 0 || pictures > 0;
  const sharp = isSure ? [] : faintInk(faint, { ...marks, all }, samples, cells.side);
  const area = areaOf(marks);
  const inked = [...sure, ...sharp].reduce((sum, { area: own }) => sum + own, 0) + pictures;
  const ink = inked / Math.max(1, inked, area);
  if (inked > 0) return { isBlank: false, ink, why: whyInk(sure.length > 0, sharp.length > 0, pictures > 0) };
  const reasons = [
    lines.ruled > 0 && 'ruled lines',
    lines.single + kinds.fold > 0 && 'lines from edge to edge (folds, streaks of the scanner)',
    kinds.hole > 0 && 'punch holes',
    kinds.staple > 0 && 'staples',
    faint.length > 0 && 'what shines through from the other side, or stains',
    (specks.length > 0 || kinds.edge > 0) && 'specks and shadows at the edges',
    sheet.surrounded && "the scanner's background",
  ].filter(reason => reason !== false);
  return { isBlank: true, ink: 0, why: reasons.length === 0 ? 'only paper' : `only paper, with ${reasons.join(', ')}` };
}

const levels = new Int32Array(256);

/** The tone that a tenth of the cells exceed. */
function deepest(
  { runs, area }: Component,
  { rows, starts, ends }: ReturnType<typeof componentsOf>,
  marks: Marks,
): number {
  let most = 0;
  for (const run of runs) {
    const row = rows[run]! * marks.width;
    for (let at = row + starts[run]!, end = row + ends[run]!; at < end; at++) {
      const level = marks.depth[at]!;
      levels[level]!++;
      if (level > most) most = level;
    }
  }
  const wanted = Math.max(2, area * 0.1);
  let [found, more] = [0, 0];
  for (let level = most; level > 0; level--) {
    more += levels[level]!;
    levels[level] = 0;
    if (found === 0 && more >= wanted) found = level;
  }
  return found;
}

function areaOf({ from, to }: Marks): number {
  return from.reduce((sum, start, y) => sum + Math.max(0, to[y]! - start), 0);
}

function whyInk(sure: boolean, sharp: boolean, pictures: boolean): string {
  const what = [
    sure && 'print or writing',
    sharp && 'faint marks with sharp edges',
    pictures && 'a picture or a dark area',
  ];
  return `it has ${what.filter(each => each !== false).join(', ')}`;
}
