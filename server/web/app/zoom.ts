/** Zooming in steps, and dragging with the mouse. */

const steps = [0.1, 0.15, 0.25, 0.35, 0.5, 0.7, 1, 1.5, 2, 3, 4];

/** The next step from any factor; `from` at the end. */
export function nextZoom(from: number, direction: 1 | -1): number {
  const apart = 1.02;
  const found = direction > 0 ? steps.find(step => step > from * apart) : steps.findLast(step => step < from / apart);
  return found ?? from;
}

export function dragToScroll(ground: HTMLElement): void {
  let from: { x: number; y: number } | undefined;
  ground.addEventListener('pointerdown', ({ button, pointerType, pointerId, clientX, clientY }) => {
    // Touch scrolls natively.
    if (button !== 0 || pointerType !== 'mouse') return;
    from = { x: clientX + ground.scrollLeft, y: clientY + ground.scrollTop };
    ground.setPointerCapture(pointerId);
    ground.classList.add('pulled');
  });
  ground.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => from && ground.scrollTo(from.x - clientX, from.y - clientY),
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    ground.addEventListener(end, () => {
      from = undefined;
      ground.classList.remove('pulled');
    });
  }
}
