/** The questions of web pages, each as a card. */
import { element, type Child } from '../shared/element.js';
import { isComplete } from './choices.js';
import { choicesForm } from './choicesForm.js';
import type { Entry } from './entries.js';
import { keyedList } from './keyed.js';
import { notesOf } from './origin.js';
import { decidingButtons, restartPressing } from './pressing.js';
import type { State } from './state.js';
import type { Words } from './words.js';

export interface AskParts {
  readonly words: Words;
  readonly state: State;
  onAnswer(entry: Entry, isYes: boolean): void;
}

/** Of a question's heading. */
export const headingId = (id: string): string => `ask-${id}`;

export const originText = (origin: string): HTMLElement => element('bdi', { class: 'origin', dir: 'ltr' }, origin);

export const note = (kind: string, ...text: readonly Child[]): HTMLElement =>
  element('p', { class: `note ${kind}` }, ...text);

/** @returns draws the entries into the place */
export function askList(place: Element): (entries: readonly Entry[], parts: AskParts) => void {
  const show = keyedList(place);
  return (entries, parts) => {
    const { words, state } = parts;
    const changed = show(
      entries.map(entry => ({
        key: entry.asked.id,
        shows: JSON.stringify([words.language, entry.asked, entry.state, mayAlready(entry, state), state.scanners]),
        draw: () => (entry.state === 'open' ? openCard(entry, parts) : endedCard(entry, words)),
      })),
    );
    if (changed) restartPressing();
  };
}

const mayAlready = ({ asked: { origin } }: Entry, { grants }: State): boolean =>
  grants.some(grant => grant.origin === origin && grant.may.length > 0);

const heading = ({ asked }: Entry, text: string): HTMLElement =>
  element(
    'h3',
    { id: headingId(asked.id), tabindex: -1 },
    element('span', { class: 'question' }, text),
    ' ',
    originText(asked.origin),
  );

const card = (entry: Entry, text: string, ...children: readonly Child[]): HTMLElement =>
  element(
    'article',
    { class: 'card', 'data-state': entry.state, 'aria-labelledby': headingId(entry.asked.id) },
    heading(entry, text),
    ...children,
  );

function openCard(entry: Entry, { words, state, onAnswer }: AskParts): HTMLElement {
  const { asked, choices } = entry;
  const id = `choose-${asked.id}`;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const answer = (isYes: boolean): void => {
    const lacks = isYes && !isComplete(choices);
    problem.textContent = lacks ? words('origins.scanners.none') : '';
    if (!lacks) onAnswer(entry, isYes);
  };
  return card(
    entry,
    words('origins.ask.title'),
    notesOf(asked.origin).map(each => note(each, words(`origins.note.${each}`))),
    element(
      'p',
      { class: 'soft' },
      words('origins.ask.since', { time: words.date(new Date(asked.at)) }),
      mayAlready(entry, state) && element('span', { class: 'more' }, words('origins.ask.more')),
    ),
    choicesForm({ words, choices, scanners: state.scanners, id }),
    problem,
    decidingButtons([
      { text: words('origins.allow'), class: 'primary', id: `${id}-allow`, onPress: () => answer(true) },
      { text: words('origins.refuse'), id: `${id}-refuse`, onPress: () => answer(false) },
    ]),
  );
}

function endedCard(entry: Entry, words: Words): HTMLElement {
  const { state } = entry;
  if (state === 'allowed')
    return card(entry, words('origins.done.allowed'), element('p', {}, words('origins.done.close')));
  if (state === 'refused')
    return card(
      entry,
      words('origins.done.refused'),
      element('p', {}, words('origins.done.refused.text')),
      element('p', {}, words('origins.done.close')),
    );
  const why = words(state === 'lapsed' ? 'origins.closed.lapsed' : 'origins.closed.elsewhere');
  return card(entry, words('origins.ask.title'), element('p', {}, why));
}
