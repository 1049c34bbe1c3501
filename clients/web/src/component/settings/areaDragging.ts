/** Drawing an area with the pointer or the arrow keys; all in millimetres. */
import type { Area } from '../../client/shapes.js';
import { between, moved, resized, type Edges, type Point } from './areaGeometry.js';
import { wholeOf, type AreaLimits } from './areaLimits.js';

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
