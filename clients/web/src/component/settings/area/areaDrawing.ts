/** An area on the picture of the flatbed: drawn, moved and resized with the pointer and the arrow keys. */
import { html, type TemplateResult } from 'lit-html';
import type { Area } from '../../../client/shapes.js';
import type { Words } from '../../words/words.js';
import {
  allEdges,
  type AreaLimits,
  type Drag,
  dragFrom,
  type Edges,
  type Hold,
  type Point,
  stepOf,
  wholeOf,
} from './area.js';
import type { Preview, Previewed } from '../preview.js';

/** Of the pointers that are down. */
const drags = new WeakMap<EventTarget, Drag>();

export function areaDrawing(preview: Preview, { page, url, glass, area }: Previewed, words: Words): TemplateResult {
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const ground = event.currentTarget as HTMLElement;
    drags.set(ground, dragFrom(pointOf(event, glass), holdOf(event.target), preview.shown?.area, glass));
    ground.setPointerCapture(event.pointerId);
    ground.querySelector<HTMLElement>('.frame')?.focus({ preventScroll: true });
    event.preventDefault();
  };
  const onMove = (event: PointerEvent): void => {
    const drag = event.currentTarget && drags.get(event.currentTarget);
    if (drag) preview.setArea(drag(pointOf(event, glass)));
  };
  const onEnd = ({ currentTarget }: PointerEvent): void => {
    if (currentTarget) drags.delete(currentTarget);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = stepOf(event, preview.shown?.area, glass);
    if (!step) return;
    event.preventDefault();
    preview.setArea(step.area);
  };
  const shape = page.width / page.height;
  return html`<div
    class="glass"
    .style=${`aspect-ratio: ${shape}; --shape: ${shape}`}
    @pointerdown=${onDown}
    @pointermove=${onMove}
    @pointerup=${onEnd}
    @pointercancel=${onEnd}
  >
    <img alt=${words('preview.picture')} width=${page.width} height=${page.height} src=${url} />
    <div
      class=${area ? 'frame' : 'frame whole'}
      autofocus
      tabindex="0"
      role="application"
      aria-label=${area ? words('preview.frame', { ...area }) : words('preview.frame.whole')}
      .style=${placeOf(area ?? wholeOf(glass), glass)}
      @keydown=${onKey}
    >
      ${allEdges.map(edges => html`<span class="handle ${edges}" data-edges=${edges}></span>`)}
    </div>
  </div>`;
}

const placeOf = ({ x, y, width, height }: Area, glass: AreaLimits): string => {
  const share = (mm: number, of: number): string => `${(mm / of) * 100}%`;
  const sides = {
    left: share(x, glass.width),
    top: share(y, glass.height),
    width: share(width, glass.width),
    height: share(height, glass.height),
  };
  return Object.entries(sides)
    .map(([side, value]) => `${side}: ${value}`)
    .join('; ');
};

function pointOf({ clientX, clientY, currentTarget }: PointerEvent, glass: AreaLimits): Point {
  const { left, top, width, height } = (currentTarget as HTMLElement).getBoundingClientRect();
  return { x: ((clientX - left) / width) * glass.width, y: ((clientY - top) / height) * glass.height };
}

function holdOf(target: EventTarget | null): Hold {
  const { classList, dataset } = target as HTMLElement;
  return (dataset['edges'] as Edges | undefined) ?? (classList.contains('frame') ? 'area' : 'paper');
}
