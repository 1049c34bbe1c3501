/** Drawing an area on a picture of the flatbed: with the pointer, by its handles, and with the arrow keys. */
import type { Area } from '../client.js';
import {
  allEdges,
  between,
  moved,
  resized,
  sizeOf,
  wholeOf,
  type AreaLimits,
  type Edges,
  type Point,
} from './areaGeometry.js';
import { element } from './element.js';

/** Of an arrow key, in mm; with Control, the small one. */
const STEP_MM = 5;
const FINE_MM = 0.5;
/** A shorter drag is a click, which draws nothing, in mm. */
const CLICK_MM = 2;

export interface AreaDrawing {
  readonly node: HTMLElement;
  /** The part of the page that can be focused. */
  readonly frame: HTMLElement;
  /** @param area undefined: the whole page */
  show(area: Area | undefined): void;
}

/** @param picture shows exactly what the limits describe */
export function createAreaDrawing(
  picture: HTMLElement,
  limits: AreaLimits,
  onChange: (area: Area | undefined) => void,
): AreaDrawing {
  let area: Area | undefined;
  const whole = wholeOf(limits);
  const handles = allEdges.map(edges => element('span', { class: `handle ${edges}`, 'data-edges': edges }));
  const frame = element('div', { class: 'frame', tabindex: 0, role: 'application' }, ...handles);
  const node = element('div', { class: 'glass' }, picture, frame);

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: ((clientX - left) / width) * limits.width, y: ((clientY - top) / height) * limits.height };
  };

  function show(next: Area | undefined): void {
    area = next;
    const { x, y, width, height } = next ?? whole;
    const share = (mm: number, of: number): string => `${(mm / of) * 100}%`;
    Object.assign(frame.style, {
      left: share(x, limits.width),
      top: share(y, limits.height),
      width: share(width, limits.width),
      height: share(height, limits.height),
    });
    frame.classList.toggle('whole', !next);
    const where = next ? `${sizeOf(next)}, ${x} mm from the left, ${y} mm from the top` : 'the whole page';
    frame.setAttribute('aria-label', `Area: ${where}. The arrow keys move it, with Shift they change its size.`);
  }

  const change = (next: Area | undefined): void => {
    show(next);
    onChange(next);
  };

  /** What the pointer does from here on. */
  function beginDrag(event: PointerEvent): (to: Point) => Area | undefined {
    const from = pointOf(event);
    const before = area;
    const target = event.target as HTMLElement;
    const edges = target.dataset['edges'] as Edges | undefined;
    const by = (to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
    if (edges) return to => resized(before ?? whole, edges, by(to), limits);
    if (target === frame && before) return to => moved(before, by(to), limits);
    return to => {
      const { x, y } = by(to);
      return Math.max(Math.abs(x), Math.abs(y)) < CLICK_MM ? before : between(from, to, limits);
    };
  }

  let drag: ((to: Point) => Area | undefined) | undefined;
  node.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    drag = beginDrag(event);
    node.setPointerCapture(event.pointerId);
    frame.focus({ preventScroll: true });
    event.preventDefault();
  });
  node.addEventListener('pointermove', event => {
    if (drag) change(drag(pointOf(event)));
  });
  for (const end of ['pointerup', 'pointercancel'] as const) node.addEventListener(end, () => (drag = undefined));

  const directions: Readonly<Record<string, Point>> = {
    ArrowLeft: { x: -1, y: 0 },
    ArrowRight: { x: 1, y: 0 },
    ArrowUp: { x: 0, y: -1 },
    ArrowDown: { x: 0, y: 1 },
  };
  frame.addEventListener('keydown', event => {
    const direction = directions[event.key];
    if (!direction || event.altKey || event.metaKey) return;
    event.preventDefault();
    const step = event.ctrlKey ? FINE_MM : STEP_MM;
    const by = { x: direction.x * step, y: direction.y * step };
    change(event.shiftKey ? resized(area ?? whole, 'se', by, limits) : area && moved(area, by, limits));
  });
  show(undefined);
  return { node, frame, show };
}
