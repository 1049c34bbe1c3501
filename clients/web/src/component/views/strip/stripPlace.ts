/** Where the strip is scrolled to: to the selected page when it or its place changes, and to pages that arrive. */
import { noChange, type ElementPart } from 'lit-html';
import { directive, Directive } from 'lit-html/directive.js';
import type { Sheet } from '../../pages/page.js';
import { thumbId } from '../../pages/pageActions.js';

/** Pixels from the end of the strip that still count as its end. */
const NEAR = 16;

class StripPlace extends Directive {
  #chosen: Sheet | undefined;
  #place = 0;
  #count = 0;

  /** @param _place of the selected page, from 1 */
  override render(_chosen: Sheet | undefined, _place: number, _count: number): unknown {
    return noChange;
  }
  override update({ element }: ElementPart, [chosen, place, count]: Parameters<StripPlace['render']>): unknown {
    const [isOther, isMore] = [chosen !== this.#chosen || place !== this.#place, count > this.#count];
    this.#chosen = chosen;
    this.#place = place;
    this.#count = count;
    // Right to left, scrollLeft is negative.
    const { scrollLeft, clientWidth, scrollWidth } = element;
    const atEnd = Math.abs(scrollLeft) + clientWidth >= scrollWidth - NEAR;
    // Once the thumbnails are there.
    if (isOther || (isMore && atEnd)) queueMicrotask(() => scroll(element, isOther ? chosen : undefined));
    return noChange;
  }
}
export const stripPlace = directive(StripPlace);

/** @param chosen absent: to the end */
function scroll(strip: Element, chosen: Sheet | undefined): void {
  const isMirrored = getComputedStyle(strip).direction === 'rtl';
  const go = (left: number): void => {
    // On the way over many pages, thumbnails would be loaded that nobody looks at.
    const isFar = Math.abs(left - strip.scrollLeft) > 2 * strip.clientWidth;
    strip.scrollTo({ left, behavior: isFar ? 'instant' : 'auto' });
  };
  if (!chosen) return go(isMirrored ? -strip.scrollWidth : strip.scrollWidth);
  const item = strip.querySelector<HTMLElement>(`#${CSS.escape(thumbId(chosen))}`)?.parentElement;
  if (item) go(item.offsetLeft - strip.clientWidth / 2 + item.clientWidth / 2);
}
