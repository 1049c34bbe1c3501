/** Controls of the settings, each with its label and always with one of the offered values. */
import { element } from './element.js';

export interface Option<T extends string | number = string> {
  readonly value: T;
  readonly text: string;
}

export interface Control<T> {
  readonly node: HTMLElement;
  readonly value: T;
}

let last = 0;
const newId = (): string => `control-${++last}`;

/** @param hint shown below; may depend on the value */
export function choiceOf<T extends string | number>(
  label: string,
  options: readonly Option<T>[],
  start: T,
  onChange: () => void,
  hint?: (value: T) => string | undefined,
): Control<T> {
  const id = newId();
  const select = element(
    'select',
    { id, ...(hint && { 'aria-describedby': `${id}-hint` }) },
    ...options.map(({ value, text }) => element('option', { value, selected: value === start }, text)),
  );
  const value = (): T => options[select.selectedIndex]?.value ?? start;
  const below = hint && element('p', { class: 'hint', id: `${id}-hint` }, hint(start) ?? '');
  select.addEventListener('change', () => {
    if (below && hint) below.textContent = hint(value()) ?? '';
    onChange();
  });
  return {
    node: element('div', { class: 'field' }, element('label', { for: id }, label), select, below),
    get value() {
      return value();
    },
  };
}

/** A few short options side by side. */
export function segmentsOf<T extends string>(
  label: string,
  options: readonly Option<T>[],
  start: T,
  onChange: () => void,
): Control<T> {
  const name = newId();
  let chosen = start;
  const segments = options.map(({ value, text }) => {
    const radio = element('input', { type: 'radio', name, value, checked: value === start });
    radio.addEventListener('change', () => {
      chosen = value;
      onChange();
    });
    return element('label', {}, radio, element('span', {}, text));
  });
  return {
    node: element(
      'div',
      { class: 'field' },
      element('span', { class: 'label', id: name }, label),
      element('div', { class: 'segments', role: 'radiogroup', 'aria-labelledby': name }, ...segments),
    ),
    get value() {
      return chosen;
    },
  };
}

/** @param absent why it cannot be switched on */
export function switchOf(label: string, start: boolean, onChange: () => void, absent?: string): Control<boolean> {
  const id = newId();
  const box = element('input', {
    type: 'checkbox',
    role: 'switch',
    id,
    checked: start && absent === undefined,
    disabled: absent !== undefined,
    'aria-describedby': absent === undefined ? undefined : `${id}-hint`,
  });
  box.addEventListener('change', onChange);
  return {
    node: element(
      'div',
      { class: 'switch' },
      element('label', { for: id }, label),
      box,
      absent !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, absent),
    ),
    get value() {
      return box.checked;
    },
  };
}

export function numberOf(
  label: string,
  start: number,
  { least, most }: { readonly least: number; readonly most: number },
  onChange: () => void,
  hint?: string,
): Control<number> {
  const id = newId();
  const input = element('input', {
    type: 'number',
    id,
    min: least,
    max: most,
    step: 1,
    value: start,
    inputmode: 'numeric',
    required: true,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  });
  const value = (): number =>
    Number.isInteger(input.valueAsNumber) ? Math.min(most, Math.max(least, input.valueAsNumber)) : start;
  input.addEventListener('change', () => {
    // The field shows exactly the value that is scanned with.
    input.valueAsNumber = value();
    onChange();
  });
  return {
    node: element(
      'div',
      { class: 'field' },
      element('label', { for: id }, label),
      input,
      hint !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, hint),
    ),
    get value() {
      return value();
    },
  };
}
