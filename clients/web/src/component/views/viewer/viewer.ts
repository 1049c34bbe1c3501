/** The state of the viewer: which page, how large. The dialog itself keeps the focus and closes on Escape. */
import type { Sheet } from '../../pages/page.js';
import { focusChosen, thumbId, turnPages } from '../../pages/pageActions.js';
import { turnedSize } from '../../pages/pictures.js';
import type { PagesParts } from '../parts.js';
import { createDragging, nextZoom, type Dragging } from './zoom.js';

export interface Viewer {
  readonly isOpen: boolean;
  /** The one shown; undefined while it is closed. */
  readonly sheet: Sheet | undefined;
  /** Screen pixels per page pixel. */
  readonly factor: number;
  readonly dragging: Dragging;
  /** With the selected page. */
  open(): void;
  close(): void;
  step(direction: 1 | -1): void;
  /** @param factor absent: as large as fits */
  zoom(factor?: number): void;
  zoomBy(direction: 1 | -1): void;
  turn(by: 90 | 270): void;
  onClosed(): void;
  onWheel(event: WheelEvent): void;
  /** The view gives its elements. */
  takeDialog(this: void, element?: Element): void;
  takeGround(this: void, element?: Element): void;
}

export const GROUND = 'viewer-ground';
/** Pixels that stay free around a page that fits. */
const MARGIN = 48;

export function createViewer(parts: PagesParts): Viewer {
  const { context, stack } = parts;
  let dialog: HTMLDialogElement | undefined;
  let ground: HTMLElement | undefined;
  /** Undefined: as large as fits. */
  let zoom: number | undefined;
  let isOpen = false;
  let shown: Sheet | undefined;
  const resized = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(() => context.changed());

  const viewer: Viewer = {
    get isOpen() {
      return isOpen;
    },
    /** Pages that arrive do not change it. */
    get sheet() {
      if (!isOpen) return undefined;
      return shown && stack.all.includes(shown) ? shown : stack.chosen;
    },
    get factor() {
      const { sheet } = viewer;
      if (!sheet || !ground) return 1;
      const { width, height } = turnedSize(sheet.page, stack.turnOf(sheet));
      return zoom ?? Math.min(1, (ground.clientWidth - MARGIN) / width, (ground.clientHeight - MARGIN) / height);
    },
    dragging: createDragging(),
    open() {
      if (!stack.chosen || !dialog || dialog.open) return;
      shown = stack.chosen;
      zoom = undefined;
      isOpen = true;
      dialog.showModal();
      context.changed();
      context.focus(GROUND);
    },
    close: () => dialog?.close(),
    step(direction) {
      const { sheet } = viewer;
      const other = sheet && stack.beside(sheet, direction);
      if (!other) return;
      shown = other;
      stack.choose(other);
      context.changed();
    },
    zoom(factor) {
      zoom = factor;
      context.changed();
    },
    zoomBy(direction) {
      const { sheet } = viewer;
      if (!sheet || !ground) return;
      const across = (ground.scrollLeft + ground.clientWidth / 2) / ground.scrollWidth;
      const down = (ground.scrollTop + ground.clientHeight / 2) / ground.scrollHeight;
      zoom = nextZoom(viewer.factor, direction);
      const image = ground.querySelector<HTMLElement>('.sheet');
      // At once: it can be scrolled only when it has its size.
      if (image) image.style.cssText = sizeStyle(viewer, parts);
      ground.scrollTo(
        across * ground.scrollWidth - ground.clientWidth / 2,
        down * ground.scrollHeight - ground.clientHeight / 2,
      );
      context.changed();
    },
    turn(by) {
      if (viewer.sheet) turnPages(parts, [viewer.sheet], by);
    },
    onClosed() {
      const last = viewer.sheet;
      isOpen = false;
      if (last && last !== stack.chosen) stack.choose(last);
      context.changed();
      // The browser gave the focus back to what opened it, if that is still there and is not another page's thumbnail.
      const root = dialog?.getRootNode() as Document | ShadowRoot | undefined;
      const focused = root?.activeElement;
      // The focus may leave the closed dialog later.
      const isLost = !focused || focused === document.body || dialog?.contains(focused) === true;
      const isThumb = stack.all.some(sheet => thumbId(sheet) === focused?.id);
      if (isLost || isThumb) focusChosen(parts);
    },
    onWheel(event) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      viewer.zoomBy(event.deltaY < 0 ? 1 : -1);
    },
    takeDialog(element) {
      dialog = element as HTMLDialogElement | undefined;
    },
    takeGround(element) {
      resized?.disconnect();
      ground = element as HTMLElement | undefined;
      if (ground) resized?.observe(ground);
    },
  };
  return viewer;
}

/** Of the page's picture. */
export function sizeStyle({ sheet, factor }: Viewer, { stack }: PagesParts): string {
  if (!sheet) return '';
  const { width, height } = turnedSize(sheet.page, stack.turnOf(sheet));
  return `width: ${width * factor}px; height: ${height * factor}px`;
}
