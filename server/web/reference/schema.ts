/** Draws schemas: their fields, the type of each, and links to named schemas. */
import { element, type Child } from '../shared/element.js';

/** The parts of a schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

/** A description: paragraphs at blank lines, `code` between backticks. */
export function prose(text = ''): Child[] {
  return text
    .split(/\n{2,}/)
    .filter(part => part !== '')
    .map(part => element('p', {}, inline(part)));
}

export const inline = (text: string): Child[] =>
  text.split('`').map((part, at) => (at % 2 ? element('code', {}, part) : part));

/** The last name of a reference: `Image` of `#/components/schemas/Image`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
export const shapeId = (name: string): string => `shape-${name}`;

export const isFile = ({ format }: Schema): boolean => format === 'binary';

/** The type of a value, in one line. */
export function typeOf(schema: Schema): Child[] {
  if (schema.$ref) return [element('a', { href: `#${shapeId(nameOf(schema.$ref))}` }, nameOf(schema.$ref))];
  if (schema.anyOf) return schema.anyOf.flatMap((each, at) => [...(at > 0 ? [' or '] : []), ...typeOf(each)]);
  if (schema.const !== undefined) return [element('code', {}, JSON.stringify(schema.const))];
  if (schema.type === 'array') return ['list of ', ...typeOf(schema.items ?? {})];
  if (schema.enum) {
    const words = schema.enum.flatMap((each, at) => [...(at > 0 ? [', '] : []), element('code', {}, String(each))]);
    return ['one of ', ...words];
  }
  if (isFile(schema)) return ['the bytes of a file'];
  const { minimum, maximum } = schema;
  const least = minimum === undefined ? '' : `, at least ${minimum}`;
  const range = maximum === undefined ? least : ` from ${minimum ?? 0} to ${maximum}`;
  return [`${schema.type ?? 'anything'}${range}`];
}

/** The fields of an object, or the type of anything else. */
export function shape(schema: Schema, caption: string): HTMLElement {
  if (!schema.properties) return element('p', { class: 'type' }, typeOf(schema));
  const entries = Object.entries(schema.properties);
  if (entries.length === 0) return element('p', {}, 'No fields.');
  const required = new Set(schema.required);
  const rows = entries.map(([name, field]) =>
    element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        element('code', {}, name),
        !required.has(name) && element('span', { class: 'optional' }, 'optional'),
      ),
      element(
        'td',
        {},
        element('div', { class: 'type' }, typeOf(field)),
        field.description && element('div', { class: 'what' }, inline(field.description)),
        nested(field),
      ),
    ),
  );
  const table = element('table', {}, element('caption', {}, caption), element('tbody', {}, rows));
  return element('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, table);
}

const nested = (field: Schema): Child =>
  field.properties && Object.keys(field.properties).length > 0 && shape(field, 'Its fields');

export function example(value: unknown): HTMLElement {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return element('pre', { tabindex: '0', 'aria-label': 'Example' }, element('code', {}, text.trimEnd()));
}
