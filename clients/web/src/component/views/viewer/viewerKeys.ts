/** The keys of the viewer: zoom, turn, and the page before or after. */
import type { Words } from '../../words/words.js';
import { GROUND, type Viewer } from './viewer.js';

/** @returns whether it is a key of the viewer; then the browser must do nothing */
export function onViewerKey(event: KeyboardEvent, viewer: Viewer, { direction }: Words): boolean {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const [next, previous] = direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const actions: Readonly<Record<string, () => void>> = {
    '+': () => viewer.zoomBy(1),
    '=': () => viewer.zoomBy(1),
    '-': () => viewer.zoomBy(-1),
    '0': () => viewer.zoom(),
    '1': () => viewer.zoom(1),
    r: () => viewer.turn(90),
    R: () => viewer.turn(270),
    PageDown: () => viewer.step(1),
    PageUp: () => viewer.step(-1),
    ...(isScrolled(target) ? {} : { [next]: () => viewer.step(1), [previous]: () => viewer.step(-1) }),
  };
  const action = actions[key];
  action?.();
  return action !== undefined;
}

/** Whether the arrow keys scroll it: a page larger than the window, a list of many barcodes. */
const isScrolled = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.scrollWidth > target.clientWidth &&
  target.tabIndex === 0 &&
  (target.tagName === 'UL' || target.id === GROUND);
