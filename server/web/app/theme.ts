/** The theme: light, dark, or the system's. One button switches it; the browser remembers it. */
import { recall, remember } from './memory.js';
import { byId, scan } from './page.js';

const themes = ['system', 'light', 'dark'] as const;

let theme = themes.find(each => each === recall('theme')) ?? 'system';

/** In the current language. */
export function showTheme(): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  const text = scan.words(`app.theme.${theme}`);
  byId('theme-text', HTMLElement).textContent = text;
  byId('theme', HTMLButtonElement).title = text;
}

byId('theme', HTMLButtonElement).addEventListener('click', () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  remember('theme', theme);
  showTheme();
});
