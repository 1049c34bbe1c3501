/** The language of a page: the browser's, or the one that the person chose. */
import type { Words } from '@platen/client/words';
import { byId } from './element.js';
import { recall, remember } from './memory.js';

/** That the person chose. */
export function chosenLanguage(): string | undefined {
  const language = recall('language');
  return typeof language === 'string' ? language : undefined;
}

/** The menu `#language`. @param onChoice called when the person has chosen another one */
export function languageMenu(languages: readonly string[], onChoice: (language: string) => void): void {
  const menu = byId('language', HTMLSelectElement);
  for (const language of languages) {
    const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
    menu.append(new Option(name, language));
  }
  menu.addEventListener('change', () => {
    remember('language', menu.value);
    onChoice(menu.value);
  });
}

/** Puts a page's words into the elements that name them, and its language into the document. */
export function showWords<K extends string>(words: Words<K>): void {
  byId('language', HTMLSelectElement).value = words.language;
  Object.assign(document.documentElement, { lang: words.language, dir: words.direction });
  for (const place of document.querySelectorAll<HTMLElement>('[data-words]'))
    place.textContent = words(place.dataset['words'] as K);
}
