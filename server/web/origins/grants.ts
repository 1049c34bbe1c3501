/** What is allowed and refused: to look at, to change, to take back. */
import { button, element, type Child } from '../shared/element.js';
import { note, originText } from './asks.js';
import { choicesOf, isComplete, type Choices } from './choices.js';
import { choicesForm } from './choicesForm.js';
import { keyedList } from './keyed.js';
import { decidingButtons } from './pressing.js';
import type { Grant, State } from './state.js';
import type { Words } from './words.js';

export interface GrantParts {
  readonly words: Words;
  readonly state: State;
  /** The origin that is being changed. */
  readonly changed: string | undefined;
  /** Undefined: the change is over. */
  onChange(origin: string | undefined): void;
  onAnswer(choices: Choices, isYes: boolean): void;
  onRevoke(grant: Grant): void;
}

/** @returns draws the state's grants into the place */
export function grantList(place: Element): (parts: GrantParts) => void {
  const show = keyedList(place);
  return parts => {
    const { words, state, changed } = parts;
    show(
      state.grants.map((grant, at) => ({
        key: grant.origin,
        shows: JSON.stringify([words.language, at, grant, changed === grant.origin && state.scanners]),
        draw: () => row(grant, at, parts),
      })),
    );
  };
}

/** The button that opens the change of the grant at this place. */
export const changeId = (at: number): string => `change-${at}`;
export const formId = 'changing';

/** Who decided, if that cannot be changed here. */
const fixedBy = ({ by }: Grant): 'file' | 'configuration' | undefined =>
  by === 'file' || by === 'configuration' ? by : undefined;

function row(grant: Grant, at: number, parts: GrantParts): HTMLElement {
  const { words, changed } = parts;
  const isAllowed = grant.may.length > 0;
  const fixed = fixedBy(grant);
  return element(
    'li',
    { class: 'grant' },
    element(
      'h3',
      {},
      originText(grant.origin),
      ' ',
      element(
        'span',
        { class: `badge ${isAllowed ? 'yes' : 'no'}` },
        words(isAllowed ? 'origins.grant.allowed' : 'origins.grant.refused'),
      ),
    ),
    changed === grant.origin && fixed === undefined
      ? change(grant, parts)
      : [
          facts(grant, words),
          fixed === undefined ? buttons(grant, at, parts) : note('fixed', words(`origins.fixed.${fixed}`)),
        ],
  );
}

function facts(grant: Grant, words: Words): HTMLElement {
  const { may, scanners, until, by, at } = grant;
  const who = words(`origins.by.${by}`);
  const fact = (title: string, ...value: readonly Child[]): readonly HTMLElement[] => [
    element('dt', {}, title),
    element('dd', {}, ...value),
  ];
  const names = scanners === '*' ? [] : scanners;
  const end =
    until === undefined
      ? words(fixedBy(grant) ? 'origins.grant.always' : 'origins.grant.forever')
      : words('origins.grant.until', { time: words.date(new Date(until)) });
  return element(
    'dl',
    {},
    may.length > 0 && [
      fact(
        words('origins.may.title'),
        may.map(right => element('span', { class: 'part' }, words(`origins.may.${right}`))),
      ),
      fact(
        words('origins.scanners.title'),
        scanners === '*' && words('origins.grant.all'),
        names.map(name => element('span', { class: 'part' }, element('bdi', {}, name))),
      ),
    ],
    fact(words('origins.until.title'), end),
    fact(
      words('origins.by.title'),
      at === undefined ? who : words('origins.by.at', { who, time: words.date(new Date(at)) }),
    ),
  );
}

function buttons(grant: Grant, at: number, { words, onChange, onRevoke }: GrantParts): HTMLElement {
  const { origin } = grant;
  const which = grant.may.length > 0 ? 'revoke' : 'forget';
  const open = button(words('origins.change'), () => onChange(origin), {
    label: words('origins.change-of', { origin }),
  });
  open.id = changeId(at);
  return element(
    'div',
    { class: 'buttons' },
    open,
    button(words(`origins.${which}`), () => onRevoke(grant), { label: words(`origins.${which}-of`, { origin }) }),
  );
}

function change(grant: Grant, { words, state, onChange, onAnswer }: GrantParts): HTMLElement {
  const choices = choicesOf(grant);
  const isAllowed = grant.may.length > 0;
  const problem = element('p', { class: 'problem', role: 'alert' });
  const save = (): void => {
    problem.textContent = isComplete(choices) ? '' : words('origins.scanners.none');
    if (isComplete(choices)) onAnswer(choices, true);
  };
  const decide = decidingButtons([
    {
      text: words(isAllowed ? 'origins.save' : 'origins.allow'),
      class: 'primary',
      id: `${formId}-save`,
      onPress: save,
    },
    ...(isAllowed
      ? [{ text: words('origins.refuse'), id: `${formId}-refuse`, onPress: () => onAnswer(choices, false) }]
      : []),
  ]);
  decide.append(button(words('origins.cancel'), () => onChange(undefined), { class: 'ghost' }));
  return element(
    'div',
    {
      class: 'change',
      id: formId,
      tabindex: -1,
      role: 'group',
      'aria-label': words('origins.change-of', { origin: grant.origin }),
    },
    choicesForm({ words, choices, scanners: state.scanners, id: formId }),
    problem,
    decide,
  );
}
