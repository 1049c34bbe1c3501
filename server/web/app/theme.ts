/** The theme: light, dark, or the system's. One button switches it; the browser remembers it. */
import { byId } from './element.js';
import { recall, remember } from './memory.js';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const words: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

let theme = themes.find(each => each === recall('theme')) ?? 'system';

function show(): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  byId('theme-text', HTMLElement).textContent = `Theme: ${words[theme]}`;
  byId('theme', HTMLButtonElement).title = `Theme: ${words[theme]}`;
}

byId('theme', HTMLButtonElement).addEventListener('click', () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  remember('theme', theme);
  show();
});
show();
