/** What marks of the paper look like: specks, punch holes, staples, the sheet's edge. */
import type { Component, Components } from './components.js';
import type { Marks } from './mask.js';

/** In millimetres. */
const SPECK = { long: 0.8, round: 1.2 } as const;
const HOLE = { least: 3.2, most: 9.5, fromEdge: 22 } as const;
const COMB = { least: 2, most: 9, fromEdge: 18, members: 6 } as const;
const STAPLE = { shortest: 7, longest: 16, thickest: 1.5, fromEdge: 32 } as const;
const EDGE = { near: 2.5, long: 25, thin: 2 } as const;

/** How far a component reaches, in millimetres. */
export function extentOf({ left, right, top, bottom }: Component, { perMm }: Marks): number {
  return Math.max(right - left, bottom - top) / perMm;
}

/** Dust; a round dot may be a little larger. A mark takes up to a cell more than it covers. */
export function isSpeck({ left, right, top, bottom, area }: Component, { perMm }: Marks): boolean {
  const [width, height] = [right - left, bottom - top];
  const extent = Math.max(width, height);
  if (area <= 1 || extent <= Math.round(SPECK.long * perMm) + 1) return true;
  const round = Math.min(width, height) >= 0.5 * extent && area >= 0.45 * width * height;
  return round && extent <= SPECK.round * perMm + 1.5;
}

/** In millimetres, to each edge of the sheet; at most the sheet's half. */
interface ToEdges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function toEdges({ left, right, top, bottom }: Component, { from, to, upper, lower, perMm }: Marks): ToEdges {
  const row = Math.min(from.length - 1, (top + bottom) >> 1);
  const column = Math.min(upper.length - 1, (left + right) >> 1);
  return {
    left: Math.max(0, left - from[row]!) / perMm,
    right: Math.max(0, to[row]! - right) / perMm,
    top: Math.max(0, top - upper[column]!) / perMm,
    bottom: Math.max(0, lower[column]! - bottom) / perMm,
  };
}

const least = ({ left, right, top, bottom }: ToEdges): number => Math.min(left, right, top, bottom);

/** The shadow of the sheet's edge, or what is left of a hole or a torn corner there. */
export function isEdge(component: Component, marks: Marks): boolean {
  const { perMm } = marks;
  const { left, right, top, bottom, area } = component;
  const [width, height] = [(right - left) / perMm, (bottom - top) / perMm];
  const edges = toEdges(component, marks);
  if (least(edges) > EDGE.near) return false;
  const along = edges.left <= EDGE.near || edges.right <= EDGE.near ? height : width;
  const across = edges.left <= EDGE.near || edges.right <= EDGE.near ? width : height;
  const thin = area / perMm ** 2 / Math.max(width, height) <= EDGE.thin;
  if (thin && along >= EDGE.long && across <= 6) return true;
  if (along >= 2 && across <= 0.5 && least(edges) <= 1) return true;
  return least(edges) <= 0.4 && across <= 1.2;
}

/** A disk of the size of a punch hole near an edge, of one tone; also one that the edge cuts off. */
export function isHole(component: Component, components: Components, marks: Marks): boolean {
  const { perMm, from, to } = marks;
  const { left, right, top, bottom, area } = component;
  const [width, height] = [(right - left) / perMm, (bottom - top) / perMm];
  if (Math.max(width, height) > HOLE.most || Math.max(width, height) < HOLE.least) return false;
  const edges = toEdges(component, marks);
  const near = least(edges);
  if (near > HOLE.fromEdge - width) return false;
  if (!isEven(component, components, marks)) return false;
  const cut = near <= 1 / perMm || left <= from[top]! || right >= to[bottom - 1]!;
  const box = (right - left) * (bottom - top);
  if (cut) return area >= 0.6 * box && Math.min(width, height) >= 0.8;
  const cell = 1 / perMm;
  const isRound = Math.abs(width - height) <= 0.15 * Math.max(width, height) + 1.5 * cell;
  return isRound && area >= 0.68 * box && area <= 0.9 * box && isDisk(component, components);
}

/** Whether nearly all of it lies within the ellipse of its box, and the ellipse is full. */
function isDisk({ left, right, top, bottom, runs }: Component, { rows, starts, ends }: Components): boolean {
  const [a, b] = [(right - left) / 2, (bottom - top) / 2];
  const [x0, y0] = [(left + right) / 2, (top + bottom) / 2];
  let [inside, outside] = [0, 0];
  for (const run of runs) {
    const y = (rows[run]! + 0.5 - y0) / (b + 0.5);
    for (let x = starts[run]!; x < ends[run]!; x++) {
      if (((x + 0.5 - x0) / (a + 0.5)) ** 2 + y * y <= 1.05) inside++;
      else outside++;
    }
  }
  return outside <= 0.04 * inside && inside >= 0.85 * Math.PI * a * b;
}

/** Whether most of a component has one tone: a hole shows what lies behind the sheet. */
function isEven({ area, runs }: Component, { rows, starts, ends }: Components, { depth, width }: Marks): boolean {
  const counts = new Int32Array(256);
  for (const run of runs) {
    const row = rows[run]! * width;
    for (let x = starts[run]!; x < ends[run]!; x++) counts[depth[row + x]!]!++;
  }
  let [median, sum] = [0, 0];
  while (sum + counts[median]! <= area * 0.6) sum += counts[median++]!;
  const slack = Math.max(8, 0.15 * median);
  let near = 0;
  for (let level = Math.max(0, Math.floor(median - slack)); level <= Math.min(255, median + slack); level++)
    near += counts[level]!;
  return median >= 20 && near >= 0.55 * area;
}

/** Holes of a comb or a spiral: many of one size in a row along an edge. */
export function combHoles(
  candidates: readonly Component[],
  components: Components,
  marks: Marks,
): ReadonlySet<Component> {
  const { perMm } = marks;
  const fit = candidates.filter(each => {
    const [width, height] = [(each.right - each.left) / perMm, (each.bottom - each.top) / perMm];
    const box = (each.right - each.left) * (each.bottom - each.top);
    return (
      Math.min(width, height) >= COMB.least &&
      Math.max(width, height) <= COMB.most &&
      each.area >= 0.68 * box &&
      least(toEdges(each, marks)) <= COMB.fromEdge &&
      isEven(each, components, marks)
    );
  });
  const holes = new Set<Component>();
  for (const one of fit) {
    for (const [near, far] of [
      ['left', 'right'],
      ['top', 'bottom'],
    ] as const) {
      // A row of a sheet askew drifts by 3 in 100.
      const drift = 1.5 * perMm;
      const size = one[far] - one[near];
      const row = fit.filter(
        each =>
          Math.abs(each[near] - one[near]) <= drift + 0.04 * distance(each, one) &&
          Math.abs(each[far] - each[near] - size) <= 2,
      );
      if (row.length >= COMB.members) for (const each of row) holes.add(each);
    }
  }
  return holes;
}

function distance(a: Component, b: Component): number {
  return Math.hypot(a.left - b.left, a.top - b.top);
}

/** A short straight wire of even thickness near an edge, with its shadow. */
export function isStaple(component: Component, components: Components, marks: Marks): boolean {
  const { perMm, depth, width } = marks;
  if (extentOf(component, marks) > STAPLE.longest || component.area < 6) return false;
  const edges = toEdges(component, marks);
  const nearCorner =
    Math.min(edges.left, edges.right) <= STAPLE.fromEdge && Math.min(edges.top, edges.bottom) <= STAPLE.fromEdge;
  if (!nearCorner && least(edges) > STAPLE.fromEdge / 3) return false;
  let [count, sx, sy, sxx, sxy, syy] = [0, 0, 0, 0, 0, 0];
  const each = (visit: (x: number, y: number) => void): void => {
    for (const run of component.runs)
      for (let x = components.starts[run]!; x < components.ends[run]!; x++) visit(x, components.rows[run]!);
  };
  each((x, y) => {
    count++;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    syy += y * y;
  });
  const [x0, y0] = [sx / count, sy / count];
  const angle = 0.5 * Math.atan2(2 * (sxy / count - x0 * y0), sxx / count - x0 * x0 - (syy / count - y0 * y0));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [first, last, widest] = [Infinity, -Infinity, 0];
  const tones: number[] = [];
  each((x, y) => {
    const [dx, dy] = [x - x0, y - y0];
    const along = dx * cos + dy * sin;
    first = Math.min(first, along);
    last = Math.max(last, along);
    widest = Math.max(widest, Math.abs(dy * cos - dx * sin));
  });
  const length = (last - first + 1) / perMm;
  if (length < STAPLE.shortest || length > STAPLE.longest) return false;
  const thickness = count / perMm ** 2 / length;
  if (thickness > STAPLE.thickest || (2 * widest + 1) / perMm > 2.2) return false;
  each((x, y) => {
    const place = Math.floor(((x - x0) * cos + (y - y0) * sin - first) / 1.5);
    tones[place] = Math.max(tones[place] ?? 0, depth[y * width + x]!);
  });
  // Wire has one tone from end to end; a line of small print does not.
  const inner = tones.slice(1, -1).filter(tone => tone !== undefined);
  const mean = inner.reduce((sum, tone) => sum + tone, 0) / Math.max(1, inner.length);
  const even = inner.filter(tone => tone >= 0.7 * mean).length >= 0.9 * inner.length;
  return even && mean >= 40;
}
