/** An area of the flatbed in millimetres: its limits, moving it and changing its size, with the pointer or the arrow keys. */
import type { Area, SourceDetails } from '../../../client/shapes.js';

export type AreaLimits = NonNullable<SourceDetails['area']>;

/** A scanner without a smallest area gets one that a person can still see, in mm. */
const LEAST_MM = 1;

const least = ({ minWidth = LEAST_MM, minHeight = LEAST_MM }: AreaLimits) => ({
  width: minWidth,
  height: minHeight,
});

export const wholeOf = ({ width, height }: AreaLimits): Area => ({ x: 0, y: 0, width, height });

const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
/** To a tenth of a millimetre, towards 0, so that nothing grows beyond a limit. */
const tenths = (mm: number): number => Math.floor(mm * 10 + 1e-6) / 10;

/** The nearest area within the limits. */
export function fitted({ x, y, width, height }: Area, limits: AreaLimits): Area {
  const { width: minWidth, height: minHeight } = least(limits);
  const [left, top] = [within(x, 0, limits.width - minWidth), within(y, 0, limits.height - minHeight)].map(tenths) as [
    number,
    number,
  ];
  return {
    x: left,
    y: top,
    width: tenths(within(width, minWidth, limits.width - left)),
    height: tenths(within(height, minHeight, limits.height - top)),
  };
}

/** Sides of an area that a handle moves: `nw` is the top left corner. */
export type Edges = 'n' | 's' | 'w' | 'e' | 'nw' | 'ne' | 'sw' | 'se';
export const allEdges: readonly Edges[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** With its size, up to the edges. */
function moved(area: Area, by: Point, limits: AreaLimits): Area {
  const x = within(area.x + by.x, 0, limits.width - area.width);
  const y = within(area.y + by.y, 0, limits.height - area.height);
  return fitted({ ...area, x, y }, limits);
}

/** The opposite sides stay. */
function resized(area: Area, edges: Edges, by: Point, limits: AreaLimits): Area {
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
function between(one: Point, other: Point, limits: AreaLimits): Area {
  const [left, right] = [one.x, other.x].sort((a, b) => a - b).map(x => within(x, 0, limits.width)) as [number, number];
  const [top, bottom] = [one.y, other.y].sort((a, b) => a - b).map(y => within(y, 0, limits.height)) as [
    number,
    number,
  ];
  return fitted({ x: left, y: top, width: right - left, height: bottom - top }, limits);
}

/** Of an arrow key; with Control, the small one. */
const STEP_MM = 5;
const FINE_MM = 0.5;
/** A shorter drag is a click, which draws nothing. */
const CLICK_MM = 2;

/** What the pointer has hold of: a handle, the area, or the paper around it. */
export type Hold = Edges | 'area' | 'paper';

/** Undefined: the whole page. */
export type Drag = (to: Point) => Area | undefined;

export function dragFrom(from: Point, hold: Hold, before: Area | undefined, limits: AreaLimits): Drag {
  const by = (to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
  if (hold === 'area' && before) return to => moved(before, by(to), limits);
  if (hold !== 'area' && hold !== 'paper') return to => resized(before ?? wholeOf(limits), hold, by(to), limits);
  return to => {
    const { x, y } = by(to);
    return Math.max(Math.abs(x), Math.abs(y)) < CLICK_MM ? before : between(from, to, limits);
  };
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export type AreaKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

/** Arrow keys move an area; with Shift, they change its size. Undefined for other keys. */
export function stepOf(
  { key, shiftKey, ctrlKey, altKey, metaKey }: AreaKey,
  area: Area | undefined,
  limits: AreaLimits,
): { readonly area: Area | undefined } | undefined {
  const direction = directions[key];
  if (!direction || altKey || metaKey) return undefined;
  const step = ctrlKey ? FINE_MM : STEP_MM;
  const by = { x: direction.x * step, y: direction.y * step };
  if (shiftKey) return { area: resized(area ?? wholeOf(limits), 'se', by, limits) };
  return { area: area && moved(area, by, limits) };
}
