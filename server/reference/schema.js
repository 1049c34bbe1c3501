/** Draws shapes: what fields there are, what each takes, and a link to every shape that has a name. */

/** An element with children; strings become text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null));
  return made;
}

/** A description: a paragraph for each that it has, `code` for what stands between backticks. */
export function prose(text = '', name = 'p') {
  return text.split(/\n{2,}/).filter(part => part !== '').map(part => element(name, {}, inline(part)));
}

export const inline = text => text.split('`').map((part, at) => (at % 2 ? element('code', {}, part) : part));

const nameOf = ref => ref.split('/').pop();
export const shapeId = name => `shape-${name}`;

/** What a value is, in one line. */
export function typeOf(schema) {
  if (schema.$ref) return [element('a', { href: `#${shapeId(nameOf(schema.$ref))}` }, nameOf(schema.$ref))];
  if (schema.anyOf) return schema.anyOf.flatMap((each, at) => [...(at > 0 ? [' or '] : []), ...typeOf(each)]);
  if (schema.const !== undefined) return [element('code', {}, JSON.stringify(schema.const))];
  if (schema.type === 'array') return ['list of ', ...typeOf(schema.items ?? {})];
  if (schema.enum) return ['one of ', ...schema.enum.flatMap((each, at) => [...(at > 0 ? [', '] : []), element('code', {}, String(each))])];
  const { minimum, maximum } = schema;
  const range = maximum !== undefined ? ` from ${minimum ?? 0} to ${maximum}` : minimum !== undefined ? `, at least ${minimum}` : '';
  return [`${schema.type ?? 'anything'}${range}`];
}

/** The fields of an object, or what else the shape is. */
export function shape(schema, caption) {
  if (!schema.properties) return element('p', { class: 'type' }, typeOf(schema));
  const entries = Object.entries(schema.properties);
  if (entries.length === 0) return element('p', {}, 'No fields.');
  const required = new Set(schema.required ?? []);
  const rows = entries.map(([name, field]) => element('tr', {},
    element('th', { scope: 'row' }, element('code', {}, name), required.has(name) ? undefined : element('span', { class: 'optional' }, 'optional')),
    element('td', {}, element('div', { class: 'type' }, typeOf(field)), field.description ? element('div', { class: 'what' }, inline(field.description)) : undefined, nested(field)),
  ));
  return element('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, element('table', {}, element('caption', {}, caption), element('tbody', {}, rows)));
}

const nested = field => (field.properties && Object.keys(field.properties).length > 0 ? shape(field, 'Its fields') : undefined);

export function example(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return element('pre', { tabindex: '0', 'aria-label': 'Example' }, element('code', {}, text.trimEnd()));
}
