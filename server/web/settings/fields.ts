/** Controls for the options of a plugin, by their JSON Schema. */
import { button, element } from '../shared/element.js';
import { emptyOf, titleOf } from './draft.js';
import type { Schema } from './state.js';
import type { Words } from './words.js';

export interface FieldParts {
  readonly words: Words;
  /** Unique on the page. */
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly isFixed: boolean;
  /** @param value undefined: none of its own @param isNewForm controls come or go */
  onChange(value: unknown, isNewForm?: boolean): void;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A secret that is set, and not shown. */
const isKept = (value: unknown): boolean => isObject(value) && 'platenSecret' in value;

/** A labelled control with its description, or a group of them. */
export function field(parts: FieldParts): HTMLElement {
  const { schema, value } = parts;
  if (isKept(value) || schema.writeOnly === true) return secretField(parts);
  if (schema.enum) return labelled(parts, choice(parts, schema.enum));
  switch (schema.type) {
    case 'boolean':
      return switchField(parts);
    case 'integer':
    case 'number':
      return labelled(parts, numberInput(parts, schema));
    case 'string':
      return labelled(parts, textInput(parts, schema));
    case 'array':
      return schema.items ? listField(parts, schema.items) : jsonField(parts);
    default:
      return schema.properties ? groupField(parts, schema.properties) : jsonField(parts);
  }
}

const hintId = (id: string): string => `${id}-hint`;

function hint({ id, schema, words, isFixed }: FieldParts): HTMLElement | false {
  const { description } = schema;
  if (description === undefined && !isFixed) return false;
  return element(
    'p',
    { class: 'hint', id: hintId(id) },
    // It has a language of its own.
    description !== undefined && [element('bdi', {}, description), ' '],
    isFixed && words('settings.fixed'),
  );
}

const described = (parts: FieldParts): Record<string, string | boolean | undefined> => ({
  id: parts.id,
  'aria-describedby': hint(parts) ? hintId(parts.id) : undefined,
  disabled: parts.isFixed,
});

/** Controls of a group: the group says that a policy fixes it, and disables them. */
const inner = (parts: FieldParts): FieldParts => ({ ...parts, isFixed: false });

function labelled(parts: FieldParts, control: HTMLElement): HTMLElement {
  const { id, name, schema } = parts;
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, titleOf(name, schema)),
    element(
      'div',
      { class: 'control' },
      control,
      schema.unit !== undefined && element('span', { class: 'unit' }, schema.unit),
    ),
    hint(parts),
  );
}

function switchField(parts: FieldParts): HTMLElement {
  const { id, name, schema, value, onChange } = parts;
  const box = element('input', { ...described(parts), type: 'checkbox', role: 'switch' });
  box.checked = value === true;
  box.addEventListener('change', () => onChange(box.checked));
  return element(
    'div',
    { class: 'field' },
    element('div', { class: 'check' }, box, element('label', { for: id }, titleOf(name, schema))),
    hint(parts),
  );
}

function choice(parts: FieldParts, all: readonly unknown[]): HTMLElement {
  const select = element('select', described(parts));
  // An option without a value of its own, until one is chosen.
  if (parts.value === undefined) select.append(element('option', { value: '' }, '—'));
  all.forEach((each, at) =>
    select.append(
      element('option', { value: at, selected: JSON.stringify(each) === JSON.stringify(parts.value) }, String(each)),
    ),
  );
  select.addEventListener('change', () => parts.onChange(select.value === '' ? undefined : all[Number(select.value)]));
  return select;
}

function numberInput(parts: FieldParts, { type, minimum, maximum }: Schema): HTMLElement {
  const step = type === 'integer' ? 1 : 'any';
  const input = element('input', { ...described(parts), type: 'number', step, min: minimum, max: maximum });
  input.value = typeof parts.value === 'number' ? String(parts.value) : '';
  input.addEventListener('input', () => parts.onChange(input.value === '' ? undefined : Number(input.value)));
  return input;
}

function textInput(parts: FieldParts, { maxLength }: Schema): HTMLElement {
  const input = element('input', {
    ...described(parts),
    type: 'text',
    maxlength: maxLength,
    spellcheck: 'false',
    dir: 'auto',
  });
  input.value = typeof parts.value === 'string' ? parts.value : '';
  input.addEventListener('input', () => parts.onChange(input.value === '' ? undefined : input.value));
  return input;
}

function secretField(parts: FieldParts): HTMLElement {
  const { value, words } = parts;
  const placeholder = isKept(value) ? words('settings.secret.set') : words('settings.secret.none');
  const input = element('input', { ...described(parts), type: 'password', autocomplete: 'new-password', placeholder });
  input.value = typeof value === 'string' ? value : '';
  // What is empty stays as it is.
  input.addEventListener('input', () =>
    parts.onChange(input.value === '' ? (isKept(value) ? value : undefined) : input.value),
  );
  return labelled(parts, input);
}

/** What no other control shows: as it is in a file. */
function jsonField(parts: FieldParts): HTMLElement {
  const { value, onChange, words, id } = parts;
  const fault = element('p', { class: 'fault', id: `${id}-fault`, role: 'alert' });
  const own = described(parts);
  const text = element('textarea', {
    ...{ ...own, rows: 6, spellcheck: 'false', dir: 'ltr' },
    'aria-describedby': [own['aria-describedby'], fault.id].filter(Boolean).join(' '),
  });
  text.value = value === undefined ? '' : JSON.stringify(value, undefined, 2);
  text.addEventListener('input', () => {
    try {
      const next: unknown = text.value.trim() === '' ? undefined : JSON.parse(text.value);
      fault.textContent = '';
      text.removeAttribute('aria-invalid');
      onChange(next);
    } catch {
      fault.textContent = words('settings.json');
      text.setAttribute('aria-invalid', 'true');
    }
  });
  const made = labelled(parts, text);
  made.append(fault);
  return made;
}

function fieldset(parts: FieldParts, ...children: readonly (HTMLElement | false)[]): HTMLElement {
  const { id, name, schema, isFixed } = parts;
  const about = hint(parts);
  return element(
    'fieldset',
    { disabled: isFixed, 'aria-describedby': about ? about.id : undefined },
    element('legend', { id }, titleOf(name, schema)),
    about,
    children,
  );
}

function groupField(parts: FieldParts, properties: Readonly<Record<string, Schema>>): HTMLElement {
  const value = isObject(parts.value) ? parts.value : {};
  let now = value;
  const fields = Object.entries(properties).map(([name, schema]) =>
    field({
      ...inner(parts),
      id: `${parts.id}-${name}`,
      ...{ name, schema, value: value[name] ?? schema.default },
      onChange(next, isNewForm) {
        const { [name]: _, ...others } = now;
        now = next === undefined ? others : { ...others, [name]: next };
        parts.onChange(now, isNewForm);
      },
    }),
  );
  return fieldset(parts, ...fields);
}

function listField(parts: FieldParts, items: Schema): HTMLElement {
  const { words, id, onChange, name, schema } = parts;
  let now: readonly unknown[] = Array.isArray(parts.value) ? (parts.value as unknown[]) : [];
  const rows = now.map((each, at) => {
    const title = items.title ?? words('settings.list.entry', { number: String(at + 1) });
    const removing = button(
      words('settings.list.remove'),
      () =>
        onChange(
          now.filter((_, other) => other !== at),
          true,
        ),
      {
        class: 'ghost small',
        label: words('settings.list.remove-which', { which: `${titleOf(name, schema)}, ${title}` }),
      },
    );
    const control = field({
      ...inner(parts),
      id: `${id}-${at}`,
      name: items.properties ? title : name,
      schema: { ...items, title },
      value: each,
      onChange(next, isNewForm) {
        now = now.map((other, index) => (index === at ? (next ?? '') : other));
        onChange(now, isNewForm);
      },
    });
    if (!(control instanceof HTMLFieldSetElement)) return element('li', {}, control, removing);
    control.append(removing);
    return element('li', {}, control);
  });
  const adding = button(words('settings.list.add'), () => onChange([...now, emptyOf(items)], true), {
    class: 'ghost small',
    label: words('settings.list.add-to', { list: titleOf(name, schema) }),
  });
  adding.id = `${id}-add`;
  return fieldset(parts, rows.length > 0 && element('ul', { class: 'list' }, rows), adding);
}
