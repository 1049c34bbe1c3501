/** “About this scanner”: what its driver tells of it. The service is asked while the person has it open. */
import { byId, element, fill, type Child } from '../shared/element.js';
import { aboutScanner, type About } from './service.js';
import type { Words } from './words.js';

const place = byId('about', HTMLDetailsElement);
const text = byId('about-text', HTMLElement);
const facts = byId('about-facts', HTMLDListElement);

let scanner: string | undefined;
let words: Words | undefined;
let about: About | 'asking' | 'away' = 'asking';
let asked = 0;

/** @param chosen undefined: none */
export function showAbout(chosen: string | undefined, spoken: Words | undefined): void {
  const isOther = chosen !== scanner;
  [scanner, words] = [chosen, spoken];
  place.hidden = scanner === undefined || words === undefined;
  if (isOther && place.open) void ask();
  draw();
}

async function ask(): Promise<void> {
  if (scanner === undefined) return;
  const mine = ++asked;
  about = 'asking';
  draw();
  const next = await aboutScanner(scanner).catch(() => 'away' as const);
  // Another scanner was chosen.
  if (mine !== asked) return;
  about = next;
  draw();
}

function draw(): void {
  if (!words) return;
  byId('about-title', HTMLElement).textContent = words('about.title');
  byId('about-panel', HTMLElement).ariaBusy = String(about === 'asking');
  const told = typeof about === 'object' ? about : undefined;
  text.hidden = told !== undefined && told.facts.length > 0;
  text.textContent = words(typeof about === 'object' ? 'about.nothing' : `about.${about}`);
  fill(facts, ...(told ? rowsOf(told, words) : []));
}

function rowsOf({ manufacturer, model, health, facts: told }: About, say: Words): Child[] {
  return [
    row(say('about.manufacturer'), manufacturer),
    row(say('about.model'), model),
    health &&
      row(say('about.state'), say(`about.state.${health.state}`), health.sentence && theirs(health.sentence, 'said')),
    ...told.map(({ name, title, value }) =>
      row(theirs(title ?? name), typeof value === 'number' ? say.number(value) : theirs(value)),
    ),
  ];
}

const row = (name: Child, ...value: readonly Child[]): Child =>
  value[0] === '' ? undefined : element('div', {}, element('dt', {}, name), element('dd', {}, ...value));

/** Words of whoever made the driver. */
const theirs = (said: string, style?: 'said'): Node => element('span', { lang: 'en', dir: 'auto', class: style }, said);

place.addEventListener('toggle', () => {
  if (place.open) void ask();
});
place.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !place.open) return;
  place.open = false;
  place.querySelector('summary')?.focus();
});
document.addEventListener('pointerdown', event => {
  if (place.open && event.target instanceof Node && !place.contains(event.target)) place.open = false;
});
