/** An area of the flatbed in millimetres: moving it and changing its size. */
import type { Area } from '../../client/shapes.js';
import { fitted, least, within, type AreaLimits } from './areaLimits.js';

/** Sides of an area that a handle moves: `nw` is the top left corner. */
export type Edges = 'n' | 's' | 'w' | 'e' | 'nw' | 'ne' | 'sw' | 'se';
export const allEdges: readonly Edges[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** With its size, up to the edges. */
export function moved(area: Area, by: Point, limits: AreaLimits): Area {
  const x = within(area.x + by.x, 0, limits.width - area.width);
  const y = within(area.y + by.y, 0, limits.height - area.height);
  return fitted({ ...area, x, y }, limits);
}

/** The opposite sides stay. */
export function resized(area: Area, edges: Edges, by: Point, limits: AreaLimits): Area {
  const { width: minWidth, height: minHeight } = least(limits);
  let { x: left, y: top } = area;
  let [right, bottom] = [left + area.width, top + area.height];
  if (edges.includes('w')) left = within(left + by.x, 0, right - minWidth);
  if (edges.includes('e')) right = within(right + by.x, left + minWidth, limits.width);
  if (edges.includes('n')) top = within(top + by.y, 0, bottom - minHeight);
  if (edges.includes('s')) bottom = within(bottom + by.y, top + minHeight, limits.height);
  return fitted({ x: left, y: top, width: right - left, height: bottom - top }, limits);
}

/** With two opposite corners. */
export function between(one: Point, other: Point, limits: AreaLimits): Area {
  const [left, right] = [one.x, other.x].sort((a, b) => a - b).map(x => within(x, 0, limits.width)) as [number, number];
  const [top, bottom] = [one.y, other.y].sort((a, b) => a - b).map(y => within(y, 0, limits.height)) as [
    number,
    number,
  ];
  return fitted({ x: left, y: top, width: right - left, height: bottom - top }, limits);
}
