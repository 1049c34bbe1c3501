/** The selected page, as large as fits, with what can be done with it, or with all that are marked. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Turn } from '../../client/shapes.js';
import { isDamaged, type Sheet } from '../pages/page.js';
import {
  focusChosen,
  movePages,
  placeBeside,
  removePages,
  targetsOf,
  turnPages,
  unmarkPages,
} from '../pages/pageActions.js';
import { turnedSize } from '../pages/pictures.js';
import { sizeWord } from '../sizes.js';
import type { Key } from '../words/en.js';
import type { Words } from '../words/words.js';
import { button, type ButtonOptions } from '../pieces/button.js';
import { pageIcons } from '../pieces/pageIcons.js';
import type { PagesParts } from './parts.js';
import { picture } from './picture.js';

export function stageView(parts: PagesParts): TemplateResult {
  const { context, stack } = parts;
  const { chosen } = stack;
  return html`<section id="stage" class="stage" part="stage" aria-label=${context.words('pages.stage')}>
    ${chosen ? shown(parts, chosen) : nothing}
  </section>`;
}

function shown(parts: PagesParts, sheet: Sheet): TemplateResult {
  const { context, stack } = parts;
  const { words } = context;
  const { page, scanner } = sheet;
  const number = stack.numberOf(sheet);
  const turn = stack.turnOf(sheet);
  const image = picture({ words, page, turn, alt: words('pages.picture', { number, scanner }) });
  const count = targetsOf(stack, sheet).length;
  return html`<div class="head">
      <h2 id="stage-title">${count > 1 ? words('pages.marked', { count }) : words('pages.page', { number })}</h2>
      ${toolsOf(parts, sheet, number)}
    </div>
    ${
      !isDamaged(sheet)
        ? html`<button
            type="button"
            id="paper"
            class="paper"
            part="paper"
            aria-label=${words('pages.open', { number })}
            @click=${() => void parts.onOpen()}
          >
            ${image}
          </button>`
        : html`<div class="paper" part="paper">${image}</div>`
    }
    <p class="meta">${metaOf(words, sheet, turn)}</p>`;
}

/** The same buttons for one page and for several, so that the one with the focus stays. */
function toolsOf(parts: PagesParts, sheet: Sheet, number: number): TemplateResult {
  const { context, stack, onSave, onPrint, onRescan } = parts;
  const { words } = context;
  const targets = targetsOf(stack, sheet);
  const several = targets.length > 1;
  const tool = (text: Key, of: Key, marked: Key, onPress: () => void, options: ButtonOptions): TemplateResult =>
    button(words(text), onPress, { ...options, label: several ? words(marked) : words(of, { number }) });
  const mover = (by: 1 | -1): TemplateResult => {
    const place = placeBeside(stack, targets, by);
    const way = by < 0 ? 'earlier' : 'later';
    return tool(
      `pages.move-${way}`,
      `pages.move-${way}-of`,
      `pages.move-${way}-marked`,
      () => place !== undefined && movePages(parts, targets, place),
      {
        id: `move-${way}`,
        icon: by < 0 === (words.direction === 'ltr') ? pageIcons.left : pageIcons.right,
        square: true,
        off: place === undefined,
      },
    );
  };
  const unmark = (): void => {
    unmarkPages(parts);
    focusChosen(parts);
  };
  return html`<div class="tools">
    ${
      !several && !isDamaged(sheet)
        ? button(words('pages.full-size'), parts.onOpen, {
            id: 'full-size',
            icon: 'expand',
            label: words('pages.full-size-of', { number }),
          })
        : nothing
    }
    ${tool('pages.turn-left', 'pages.turn-left-of', 'pages.turn-left-marked', () => turnPages(parts, targets, 270), {
      icon: 'turn',
      class: 'turn-left',
      square: true,
    })}
    ${tool('pages.turn-right', 'pages.turn-right-of', 'pages.turn-right-marked', () => turnPages(parts, targets, 90), {
      icon: 'turn',
      square: true,
    })}
    ${stack.all.length > 1 ? [mover(-1), mover(1)] : nothing}
    ${
      onRescan && !several
        ? button(words('pages.rescan'), () => onRescan(sheet), {
            icon: 'again',
            label: words('pages.rescan-of', { number }),
          })
        : nothing
    }
    ${
      onSave
        ? tool('pages.save', 'pages.save-of', 'pages.save-marked', () => onSave(targets), { icon: 'save' })
        : nothing
    }
    ${
      onPrint && several
        ? tool('pages.print', 'pages.print-of', 'pages.print-marked', () => onPrint(targets), { icon: 'print' })
        : nothing
    }
    ${tool('pages.remove', 'pages.remove-of', 'pages.remove-marked', () => removePages(parts, targets), {
      icon: 'trash',
      class: 'ghost',
      square: true,
    })}
    ${stack.marked.length > 0 ? button(words('pages.unmark'), unmark, { icon: 'close', class: 'ghost' }) : nothing}
  </div>`;
}

/** `Feeder A, 10:30:00 · 850 × 1100 pixels · 100 dpi · PNG · 12 kB` */
function metaOf(words: Words, { page, scanner, at }: Sheet, turn: Turn): string {
  const { width, height } = turnedSize(page, turn);
  const plain = (value: number): string => words.number(value, { useGrouping: false });
  return [
    words('pages.scanned-at', { scanner, time: words.date(at, { timeStyle: 'medium' }) }),
    words('pages.pixels', { width: plain(width), height: plain(height) }),
    words('pages.dpi', { resolution: plain(page.resolution) }),
    page.format.toUpperCase(),
    sizeWord(words, page.bytes),
    ...(page.blank?.isBlank ? [words('pages.why-blank', { why: page.blank.why })] : []),
  ].join(' · ');
}
