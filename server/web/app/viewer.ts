/** A page at full size: zoom, its neighbours, its barcodes. The dialog element itself keeps the focus and closes on Escape. */
import { announce } from './announcer.js';
import { button, byId, element, fill } from './element.js';
import { numberOf, type PageList, type Sheet } from './pageList.js';
import { wholePicture } from './picture.js';
import { symbologyWord } from './words.js';
import { dragToScroll, nextZoom } from './zoom.js';

const dialog = byId('viewer', HTMLDialogElement);

export interface Viewer {
  open(): void;
  /** Other pages arrived; the one shown stays. */
  renew(): void;
}

export function createViewer(list: PageList, onSave: (sheet: Sheet) => void): Viewer {
  const title = element('h2', { class: 'viewer-title' });
  const level = element('span', { class: 'viewer-level', 'aria-live': 'polite' });
  const ground = element('div', {
    class: 'ground',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Page; use the arrow keys to move it',
  });
  // Focusable, so that the keyboard can scroll it.
  const codes = element('ul', { class: 'viewer-codes', 'aria-label': 'Barcodes on this page', tabindex: '0' });
  /** Screen pixels per page pixel; undefined: as large as fits. */
  let zoom: number | undefined;
  let sheet: Sheet | undefined;

  const previous = button('Previous page', () => step(-1), { icon: 'left', square: true });
  const next = button('Next page', () => step(1), { icon: 'right', square: true });
  fill(
    dialog,
    element(
      'div',
      { class: 'viewer-bar' },
      element('div', { class: 'tools' }, previous, title, next),
      element(
        'div',
        { class: 'tools' },
        button('Smaller', () => zoomBy(-1), { icon: 'minus', square: true }),
        level,
        button('Larger', () => zoomBy(1), { icon: 'plus', square: true }),
        button('Fit', () => apply(undefined)),
        button('100 %', () => apply(1)),
      ),
      element(
        'div',
        { class: 'tools' },
        button('Save', () => sheet && onSave(sheet), { icon: 'save' }),
        button('Close', () => dialog.close(), { icon: 'close', square: true }),
      ),
    ),
    ground,
    codes,
  );
  dragToScroll(ground);
  ground.addEventListener(
    'wheel',
    event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
  dialog.addEventListener('keydown', onKey);
  dialog.addEventListener('close', () => {
    ground.replaceChildren();
    const last = sheet;
    sheet = undefined;
    if (last && last !== list.chosen) list.choose(last);
  });
  addEventListener('resize', () => sheet && apply(zoom));

  /** The zoom at which the whole page fits; at most 1. */
  function fitting({ width, height }: Sheet['page']): number {
    const margin = 48;
    return Math.min(1, (ground.clientWidth - margin) / width, (ground.clientHeight - margin) / height);
  }

  function apply(wanted: number | undefined): void {
    if (!sheet) return;
    zoom = wanted;
    const factor = wanted ?? fitting(sheet.page);
    const image = ground.querySelector('img');
    if (image)
      Object.assign(image.style, {
        width: `${sheet.page.width * factor}px`,
        height: `${sheet.page.height * factor}px`,
      });
    level.textContent = `${Math.round(factor * 100)} %`;
  }

  function zoomBy(direction: 1 | -1): void {
    if (!sheet) return;
    const across = (ground.scrollLeft + ground.clientWidth / 2) / ground.scrollWidth;
    const down = (ground.scrollTop + ground.clientHeight / 2) / ground.scrollHeight;
    apply(nextZoom(zoom ?? fitting(sheet.page), direction));
    ground.scrollTo(
      across * ground.scrollWidth - ground.clientWidth / 2,
      down * ground.scrollHeight - ground.clientHeight / 2,
    );
  }

  function show(shown: Sheet): void {
    sheet = shown;
    head(shown);
    fill(ground, wholePicture(shown.page, `Page ${numberOf(list, shown)}, scanned with ${shown.scanner}`));
    fill(
      codes,
      ...shown.page.barcodes.map(({ text, barcodeType }) =>
        element(
          'li',
          {},
          element('span', { class: 'viewer-type' }, symbologyWord(barcodeType)),
          element('span', {}, text),
        ),
      ),
    );
    codes.hidden = shown.page.barcodes.length === 0;
    apply(zoom);
  }

  function head(shown: Sheet): void {
    title.textContent = `Page ${numberOf(list, shown)} of ${list.all.length}`;
    previous.disabled = !list.beside(shown, -1);
    next.disabled = !list.beside(shown, 1);
  }

  function step(direction: 1 | -1): void {
    const other = sheet && list.beside(sheet, direction);
    if (!other) return;
    list.choose(other);
    show(other);
    announce(`Page ${numberOf(list, other)}`);
    if (document.activeElement === document.body || (document.activeElement as HTMLButtonElement).disabled)
      ground.focus();
  }

  function onKey(event: KeyboardEvent): void {
    const scrolls = [ground, codes].some(
      each => each === document.activeElement && each.scrollWidth > each.clientWidth,
    );
    const actions: Readonly<Record<string, () => void>> = {
      '+': () => zoomBy(1),
      '=': () => zoomBy(1),
      '-': () => zoomBy(-1),
      '0': () => apply(undefined),
      '1': () => apply(1),
      PageDown: () => step(1),
      PageUp: () => step(-1),
      ...(scrolls ? {} : { ArrowRight: () => step(1), ArrowLeft: () => step(-1) }),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  return {
    renew: () => sheet && head(sheet),
    open() {
      if (!list.chosen || dialog.open) return;
      zoom = undefined;
      dialog.showModal();
      show(list.chosen);
      ground.focus();
    },
  };
}
