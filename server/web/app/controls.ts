/** Controls of the settings, each with its label and always with one of the offered values. */
import { element, type Child } from './element.js';

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

/**
 * @param absent why it cannot be switched on
 * @param hint shown below a switch that can
 */
export function switchOf(
  label: string,
  start: boolean,
  onChange: () => void,
  absent?: string,
  hint: string | undefined = absent,
): Control<boolean> {
  const id = newId();
  const box = element('input', {
    type: 'checkbox',
    role: 'switch',
    id,
    checked: start && absent === undefined,
    disabled: absent !== undefined,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  });
  box.addEventListener('change', onChange);
  return {
    node: element(
      'div',
      { class: 'switch' },
      element('label', { for: id }, label),
      box,
      hint !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, hint),
    ),
    get value() {
      return box.checked;
    },
  };
}

export interface NumberLimits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Absent: whole numbers. */
  readonly step?: number | 'any' | undefined;
}

/** @param empty the value of an empty field, with which it starts unless `start` says otherwise */
export function numberOf<T extends number | undefined>(
  label: string,
  empty: T,
  { minimum = -Infinity, maximum = Infinity, step = 1 }: NumberLimits,
  onChange: () => void,
  hint?: string,
  start: T | number = empty,
): Control<T | number> {
  const id = newId();
  const input = element('input', {
    type: 'number',
    id,
    min: Number.isFinite(minimum) ? minimum : undefined,
    max: Number.isFinite(maximum) ? maximum : undefined,
    step,
    value: start,
    inputmode: step === 1 ? 'numeric' : 'decimal',
    required: empty !== undefined,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  });
  const value = (): T | number => {
    const given = input.valueAsNumber;
    const isTaken = step === 1 ? Number.isInteger(given) : Number.isFinite(given);
    return isTaken ? Math.min(maximum, Math.max(minimum, given)) : empty;
  };
  input.addEventListener('change', () => {
    // The field shows exactly the value that is scanned with.
    input.value = String(value() ?? '');
    onChange();
  });
  return {
    node: fieldOf(id, label, input, hint),
    get value() {
      return value();
    },
  };
}

/** A slider with its value. */
export function sliderOf(
  label: string,
  start: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  onChange: () => void,
): Control<number> {
  const id = newId();
  const input = element('input', { type: 'range', id, min: minimum, max: maximum, value: start });
  const shown = element('output', { for: id }, start);
  input.addEventListener('input', () => (shown.textContent = input.value));
  input.addEventListener('change', onChange);
  return {
    node: element('div', { class: 'field slider' }, element('label', { for: id }, label), shown, input),
    get value() {
      return input.valueAsNumber;
    },
  };
}

/** An empty field has no value. */
export function textOf(
  label: string,
  start: string | undefined,
  onChange: () => void,
  hint?: string,
): Control<string | undefined> {
  const id = newId();
  const input = element('input', {
    type: 'text',
    id,
    value: start,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  });
  input.addEventListener('change', onChange);
  return {
    node: fieldOf(id, label, input, hint),
    get value() {
      return input.value || undefined;
    },
  };
}

const fieldOf = (id: string, label: string, input: HTMLElement, hint: string | undefined): HTMLElement =>
  element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    hint !== undefined && element('p', { class: 'hint', id: `${id}-hint` }, hint),
  );

/** Controls under a heading; undefined without any. */
export const groupOf = (title: string, nodes: readonly HTMLElement[]): HTMLElement | undefined =>
  nodes.length === 0
    ? undefined
    : element('div', { class: 'group', role: 'group', 'aria-label': title }, element('h3', {}, title), ...nodes);

/** Controls behind a heading, at first not shown; undefined without any. */
export const foldedOf = (title: string, ...nodes: readonly Child[]): HTMLDetailsElement | undefined =>
  nodes.some(Boolean)
    ? element(
        'details',
        { class: 'more' },
        element('summary', {}, title),
        element('div', { class: 'controls' }, ...nodes),
      )
    : undefined;
