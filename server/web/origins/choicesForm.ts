/** The controls with which a person chooses scanners, rights and time. */
import { element, type Child } from '../shared/element.js';
import { durations, type Choices, type Duration } from './choices.js';
import { rights } from './state.js';
import type { Words } from './words.js';

export interface FormParts {
  readonly words: Words;
  readonly choices: Choices;
  /** Those that are there now. */
  readonly scanners: readonly string[];
  /** Unique on the page. */
  readonly id: string;
}

export function choicesForm(parts: FormParts): HTMLElement {
  return element('div', { class: 'choices' }, mayGroup(parts), scannersGroup(parts), timeGroup(parts));
}

const group = (title: string, ...children: readonly Child[]): HTMLElement =>
  element('fieldset', {}, element('legend', {}, title), ...children);

interface Box {
  readonly type: 'checkbox' | 'radio';
  readonly id: string;
  /** Of a group of radio buttons. */
  readonly name?: string;
  readonly text: Child;
  readonly checked: boolean;
  readonly disabled?: boolean;
  onChange(checked: boolean): void;
}

function box({ type, id, name, text, checked, disabled = false, onChange }: Box): HTMLElement {
  const input = element('input', { type, id, name, checked, disabled });
  input.addEventListener('change', () => onChange(input.checked));
  return element('label', { class: 'box' }, input, element('span', {}, text));
}

function mayGroup({ words, choices, id }: FormParts): HTMLElement {
  return group(
    words('origins.may.title'),
    rights.map(right =>
      box({
        type: 'checkbox',
        id: `${id}-${right}`,
        text: words(`origins.may.${right}`),
        checked: choices.may.has(right),
        // Nothing else has a use without it.
        disabled: right === 'scan',
        onChange: checked => void (checked ? choices.may.add(right) : choices.may.delete(right)),
      }),
    ),
  );
}

function scannersGroup({ words, choices, scanners, id }: FormParts): HTMLElement {
  // A scanner that is switched off can be in the question. So can any text of the web page: it never stands among the scanners.
  const absent = [...choices.picked].filter(name => !scanners.includes(name));
  const names = [...scanners, ...absent];
  const boxOf = (name: string): HTMLElement =>
    box({
      type: 'checkbox',
      id: `${id}-scanner-${names.indexOf(name)}`,
      text: element('bdi', {}, scanners.includes(name) ? name : cut(name)),
      checked: choices.picked.has(name),
      onChange: checked => void (checked ? choices.picked.add(name) : choices.picked.delete(name)),
    });
  const label = words('origins.scanners.absent');
  const some = element(
    'div',
    { class: 'some', role: 'group', 'aria-label': words('origins.scanners.some') },
    scanners.map(boxOf),
    absent.length > 0 &&
      element(
        'div',
        { class: 'absent', role: 'group', 'aria-label': label },
        element('p', { class: 'soft' }, label),
        absent.map(boxOf),
      ),
  );
  const setAll = (all: boolean): void => {
    choices.all = all;
    some.hidden = all;
  };
  setAll(choices.all);
  const radio = (which: 'all' | 'some'): HTMLElement =>
    box({
      type: 'radio',
      id: `${id}-scanners-${which}`,
      name: `${id}-scanners`,
      text: words(`origins.scanners.${which}`),
      checked: choices.all === (which === 'all'),
      onChange: () => setAll(which === 'all'),
    });
  return group(words('origins.scanners.title'), radio('all'), names.length > 0 && [radio('some'), some]);
}

const MOST_CHARACTERS = 60;
const cut = (name: string): string => {
  const characters = [...name];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : name;
};

function timeGroup({ words, choices, id }: FormParts): HTMLElement {
  const { until } = choices;
  const radio = (duration: Duration, text: string): HTMLElement =>
    box({
      type: 'radio',
      id: `${id}-${duration}`,
      name: `${id}-duration`,
      text,
      checked: choices.duration === duration,
      onChange: () => void (choices.duration = duration),
    });
  return group(
    words('origins.until.title'),
    until !== undefined && radio('same', words('origins.until.same', { time: words.date(new Date(until)) })),
    (Object.keys(durations) as (keyof typeof durations)[]).map(each => radio(each, words(`origins.until.${each}`))),
  );
}
