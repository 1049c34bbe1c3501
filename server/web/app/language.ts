/** The language of the page: the browser's, or the one that the person chose. */
import type { Key } from '@platen/client/component';
import { recall, remember } from './memory.js';
import { byId, scan } from './page.js';

const choice = byId('language', HTMLSelectElement);
const { languages } = scan.constructor as unknown as { readonly languages: readonly string[] };

for (const language of languages) {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  choice.append(new Option(name, language));
}
const remembered = recall('language');
if (typeof remembered === 'string') scan.lang = remembered;

choice.addEventListener('change', () => {
  remember('language', choice.value);
  scan.lang = choice.value;
});

/** Puts the page's own words into it. */
export function showLanguage(): void {
  const { words } = scan;
  choice.value = words.language;
  Object.assign(document.documentElement, { lang: words.language, dir: words.direction });
  for (const place of document.querySelectorAll<HTMLElement>('[data-words]'))
    place.textContent = words(place.dataset['words'] as Key);
  document.title = words('app.document-title');
}
