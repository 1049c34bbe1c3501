/** The selected page, as large as fits, with its buttons. */
import { button, byId, element, fill } from './element.js';
import { numberOf, type PageList, type Sheet } from './pageList.js';
import { isShown, picture } from './picture.js';
import { sizeWord } from './words.js';

const place = byId('stage', HTMLElement);

export interface StageParts {
  readonly list: PageList;
  onOpen(): void;
  onSave(sheet: Sheet): void;
  onRemove(sheet: Sheet): void;
}

export interface Stage {
  show(): void;
}

export function createStage({ list, onOpen, onSave, onRemove }: StageParts): Stage {
  let shown: Sheet | undefined;
  return {
    show() {
      const sheet = list.chosen;
      if (sheet === shown) return void (sheet && title(numberOf(list, sheet)));
      shown = sheet;
      if (!sheet) return place.replaceChildren();
      const { page, scanner } = sheet;
      const number = numberOf(list, sheet);
      const image = picture(page, `Page ${number}, scanned with ${scanner}`);
      const open = isShown(page)
        ? element('button', { type: 'button', class: 'paper', 'aria-label': `Open page ${number} in full size` }, image)
        : element('div', { class: 'paper' }, image);
      open.addEventListener('click', () => isShown(page) && onOpen());
      const facts = [
        `${page.width} × ${page.height} pixels`,
        `${page.resolution} dpi`,
        page.format.toUpperCase(),
        sizeWord(page.bytes),
        ...(page.blank?.isBlank ? [`blank: ${page.blank.why}`] : []),
      ].join(' · ');
      fill(
        place,
        element(
          'div',
          { class: 'head' },
          element('h2', { id: 'stage-title' }, `Page ${number}`),
          element(
            'div',
            { class: 'tools' },
            isShown(page) && button('Full size', onOpen, { icon: 'expand', label: `Full size of page ${number}` }),
            button('Save', () => onSave(sheet), { icon: 'save', label: `Save page ${number}` }),
            button('Remove', () => onRemove(sheet), {
              icon: 'trash',
              class: 'ghost',
              square: true,
              label: `Remove page ${number}`,
            }),
          ),
        ),
        open,
        element('p', { class: 'meta' }, `${scanner}, ${sheet.at.toLocaleTimeString()} · ${facts}`),
      );
    },
  };
}

/** Its number may change while it stays selected. */
function title(number: number): void {
  const heading = document.getElementById('stage-title');
  if (heading) heading.textContent = `Page ${number}`;
}
