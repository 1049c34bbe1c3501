/** Zooming in steps, and dragging with the mouse. */

const steps = [0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 1, 1.5, 2, 3, 4];

/** The next step from any factor; `from` at the end. */
export function nextZoom(from: number, direction: 1 | -1): number {
  const apart = 1.02;
  const found = direction > 0 ? steps.find(step => step > from * apart) : steps.findLast(step => step < from / apart);
  return found ?? from;
}

/** Handlers of an element that is scrolled by dragging. */
export interface Dragging {
  onDown(event: PointerEvent): void;
  onMove(event: PointerEvent): void;
  onUp(event: PointerEvent): void;
}

export function createDragging(): Dragging {
  let from: { readonly x: number; readonly y: number } | undefined;
  const groundOf = ({ currentTarget }: PointerEvent): HTMLElement => currentTarget as HTMLElement;
  return {
    onDown(event) {
      const { button, pointerType, pointerId, clientX, clientY } = event;
      // Touch scrolls natively.
      if (button !== 0 || pointerType !== 'mouse') return;
      const ground = groundOf(event);
      from = { x: clientX + ground.scrollLeft, y: clientY + ground.scrollTop };
      ground.setPointerCapture(pointerId);
      ground.classList.add('pulled');
    },
    onMove: event => from && groundOf(event).scrollTo(from.x - event.clientX, from.y - event.clientY),
    onUp(event) {
      from = undefined;
      groundOf(event).classList.remove('pulled');
    },
  };
}
