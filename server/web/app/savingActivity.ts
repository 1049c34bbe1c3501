/** A document that is being saved: how much of it arrived, and a button that ends it. */
import { button, byId, element, fill, icon } from './element.js';
import { countOf, sizeWord } from './words.js';

const place = byId('saving', HTMLElement);

export interface SavingActivity {
  progress(pages: number, bytes: number): void;
  end(): void;
}

export function beginSaving(onCancel: () => void): SavingActivity {
  const detail = element('p', { class: 'activity-detail' }, 'The service writes the document…');
  const bar = element('div', {
    class: 'progress',
    role: 'progressbar',
    'aria-label': 'Saving as PDF',
    'aria-valuetext': 'Nothing has arrived yet',
  });
  fill(
    place,
    element(
      'div',
      { class: 'activity' },
      element('span', { class: 'pulse' }, icon('save')),
      element('div', { class: 'words' }, element('strong', { class: 'activity-title' }, 'Saving as PDF'), detail),
      button('Cancel', onCancel, { icon: 'stop', class: 'danger', label: 'Cancel saving' }),
      bar,
    ),
  );
  return {
    progress(pages, bytes) {
      const words = `${countOf(pages, 'page')}, ${sizeWord(bytes)} so far`;
      detail.textContent = `${words}…`;
      bar.setAttribute('aria-valuetext', words);
    },
    end() {
      const hadFocus = place.contains(document.activeElement);
      place.replaceChildren();
      if (hadFocus) byId('save-pdf', HTMLButtonElement).focus({ preventScroll: true });
    },
  };
}
