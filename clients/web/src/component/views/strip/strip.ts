/** The strip of thumbnails: every page, the selected one and the marked ones. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Sheet } from '../../pages/page.js';
import { markPages, thumbId } from '../../pages/pageActions.js';
import { onStripKey } from './stripKeys.js';
import type { Words } from '../../words/words.js';
import { dragHandlers } from './stripDrag.js';
import type { PagesParts } from '../parts.js';
import { thumbnail } from '../picture.js';
import { stripPlace } from './stripPlace.js';

/** Pixels: twice the size shown, for high-density screens. */
const PIXELS = 200;

export function stripView(parts: PagesParts): TemplateResult {
  const { stack, context } = parts;
  const marked: ReadonlySet<Sheet> = new Set(stack.marked);
  const { chosen, all } = stack;
  return html`<ol
    id="strip"
    part="strip"
    class=${marked.size > 0 ? 'strip marking' : 'strip'}
    aria-label=${context.words('pages.strip')}
    ${stripPlace(chosen, chosen ? stack.numberOf(chosen) : 0, all.length)}
  >
    ${repeat(
      all,
      ({ id }) => id,
      (sheet, at) => itemOf(parts, sheet, { number: at + 1, isMarked: marked.has(sheet), isChosen: sheet === chosen }),
    )}
  </ol>`;
}

interface ItemFacts {
  readonly number: number;
  readonly isMarked: boolean;
  readonly isChosen: boolean;
}

function itemOf(parts: PagesParts, sheet: Sheet, { number, isMarked, isChosen }: ItemFacts): TemplateResult {
  const { stack, context } = parts;
  const { words } = context;
  const { page } = sheet;
  const codes = page.barcodes.length;
  const drag = dragHandlers(parts, sheet);
  // A single tab stop, whatever the number of pages. Blanks keep the badges' words apart, as in the button's name.
  return html`<li
    draggable="true"
    @dragstart=${drag.onStart}
    @dragover=${drag.onOver}
    @dragleave=${drag.onLeave}
    @drop=${drag.onDrop}
    @dragend=${drag.onEnd}
  >
    <button
      type="button"
      id=${thumbId(sheet)}
      part="thumb"
      class=${isMarked ? 'thumb marked' : 'thumb'}
      tabindex=${isChosen ? 0 : -1}
      aria-current=${isChosen ? 'true' : nothing}
      aria-label=${labelOf(words, sheet, number, isMarked)}
      @click=${(event: MouseEvent) => press(event, sheet, parts)}
      @dblclick=${() => parts.onOpen()}
      @keydown=${(event: KeyboardEvent) => onStripKey(event, sheet, parts) && event.preventDefault()}
      @keyup=${(event: KeyboardEvent) => event.key === ' ' && isCommand(event) && event.preventDefault()}
    >
      <span class="thumb-picture">${thumbnail({ words, page, turn: stack.turnOf(sheet) }, PIXELS)}</span>
      <span class="thumb-number">${words.number(number)}</span>
      ${
        page.blank?.isBlank
          ? html` <span class="thumb-blank" title=${words('pages.why-blank', { why: page.blank.why })}
              >${words('pages.blank')}</span
            >`
          : nothing
      }
      ${
        codes > 0
          ? html` <span class="thumb-codes" title=${words('pages.barcodes', { count: codes })}
              >${words.number(codes)}</span
            >`
          : nothing
      }
    </button>
    <input
      type="checkbox"
      class="thumb-check"
      tabindex="-1"
      aria-label=${words('pages.mark', { number })}
      .checked=${isMarked}
      @change=${() => markPages(parts, sheet, 'toggle')}
    />
  </li>`;
}

/** `Page 3, 2 barcodes` */
function labelOf(words: Words, { page: { blank, barcodes } }: Sheet, number: number, isMarked: boolean): string {
  return [
    words('pages.page', { number }),
    ...(blank?.isBlank ? [words('pages.thumb-blank')] : []),
    ...(barcodes.length > 0 ? [words('pages.barcodes', { count: barcodes.length })] : []),
    ...(isMarked ? [words('pages.thumb-marked')] : []),
  ].join(', ');
}

const isCommand = ({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean => ctrlKey || metaKey;

function press(event: MouseEvent, sheet: Sheet, parts: PagesParts): void {
  if (isCommand(event)) markPages(parts, sheet, 'toggle');
  else if (event.shiftKey) markPages(parts, sheet, 'to');
  else parts.stack.choose(sheet);
}
