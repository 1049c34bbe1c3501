/** The theme: light, dark, or the system's. One button switches it; the browser remembers it. */
import { byId } from './element.js';
import { recall, remember } from './memory.js';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/**
 * The button `#theme`.
 * @param nameOf a theme, in the current language
 * @returns shows the theme and its name
 */
export function themeButton(nameOf: (theme: Theme) => string): () => void {
  let theme = themes.find(each => each === recall('theme')) ?? 'system';
  const button = byId('theme', HTMLButtonElement);

  function show(): void {
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    const text = nameOf(theme);
    byId('theme-text', HTMLElement).textContent = text;
    button.title = text;
  }
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    remember('theme', theme);
    show();
  });
  return show;
}
