/** The strip of thumbnails: every page, the selected one marked. */
import { byId, element } from './element.js';
import { numberOf, type PageList, type Sheet } from './pageList.js';
import type { Page } from './page.js';
import { thumbnail } from './picture.js';
import { countOf } from './words.js';

const place = byId('strip', HTMLOListElement);
/** Pixels: twice the size shown, for high-density screens. */
const PIXELS = 200;
/** Pixels from the end of the strip that still count as its end. */
const NEAR = 16;

export interface Strip {
  show(): void;
}

export function createStrip(list: PageList): Strip {
  const buttons = new Map<Sheet, HTMLButtonElement>();
  let shown: Sheet | undefined;

  function make(sheet: Sheet): HTMLButtonElement {
    const { page } = sheet;
    const codes = page.barcodes.length;
    const made = element(
      'button',
      { type: 'button', class: 'thumb' },
      element('span', { class: 'thumb-picture' }, thumbnail(page, PIXELS)),
      element('span', { class: 'thumb-number' }),
      // Spaces keep the words apart, as in the button's name.
      page.blank?.isBlank && [' ', element('span', { class: 'thumb-blank', title: page.blank.why }, 'Blank')],
      codes > 0 && [' ', element('span', { class: 'thumb-codes', title: countOf(codes, 'barcode') }, String(codes))],
    );
    made.addEventListener('click', () => list.choose(sheet));
    made.addEventListener('keydown', event => move(event, made));
    return made;
  }

  return {
    show() {
      for (const sheet of buttons.keys()) if (!list.all.includes(sheet)) buttons.delete(sheet);
      const items = list.all.map(sheet => {
        const own = buttons.get(sheet) ?? make(sheet);
        buttons.set(sheet, own);
        const number = numberOf(list, sheet);
        own.setAttribute('aria-label', [`Page ${number}`, ...marksOf(sheet.page)].join(', '));
        // A single tab stop, whatever the number of pages.
        own.tabIndex = sheet === list.chosen ? 0 : -1;
        if (sheet === list.chosen) own.setAttribute('aria-current', 'true');
        else own.removeAttribute('aria-current');
        const label = own.querySelector('.thumb-number');
        if (label) label.textContent = String(number);
        return own.parentElement ?? element('li', {}, own);
      });
      // Existing thumbnails are not moved: moving one loses the focus.
      const wanted = new Set<Element>(items);
      const atEnd = place.scrollLeft + place.clientWidth >= place.scrollWidth - NEAR;
      for (const child of [...place.children]) if (!wanted.has(child)) child.remove();
      for (const [at, item] of items.entries())
        if (place.children[at] !== item) place.insertBefore(item, place.children[at] ?? null);
      // Pages that arrive come into view, unless the user looks at earlier ones.
      if (list.chosen === shown) return void (atEnd && place.scrollTo({ left: place.scrollWidth }));
      shown = list.chosen;
      const chosen = shown && buttons.get(shown)?.parentElement;
      if (chosen) place.scrollTo({ left: chosen.offsetLeft - place.clientWidth / 2 + chosen.clientWidth / 2 });
    },
  };
}

/** In words. */
const marksOf = ({ blank, barcodes }: Page): readonly string[] => [
  ...(blank?.isBlank ? ['blank'] : []),
  ...(barcodes.length > 0 ? [countOf(barcodes.length, 'barcode')] : []),
];

/** Arrow keys move through the strip. */
function move(event: KeyboardEvent, from: HTMLElement): void {
  const item = from.parentElement;
  const to = {
    ArrowRight: item?.nextElementSibling,
    ArrowLeft: item?.previousElementSibling,
    Home: place.firstElementChild,
    End: place.lastElementChild,
  }[event.key];
  const next = to?.querySelector('button');
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
}
