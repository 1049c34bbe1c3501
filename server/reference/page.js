/** Draws the service's OpenAPI document. What it says is set as text. */
import { element, example, inline, prose, shape, shapeId, typeOf } from './schema.js';

const $ = id => document.getElementById(id);
const main = $('content');

function draw(api) {
  $('title').textContent = api.info.title;
  $('version').textContent = api.info.version;
  document.title = `${api.info.title}: reference`;
  const operations = Object.entries(api.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })));
  const groups = api.tags.map(tag => ({ ...tag, operations: operations.filter(({ operation }) => operation.tags?.includes(tag.name)) })).filter(group => group.operations.length > 0);
  const shapes = Object.entries(api.components.schemas);
  $('nav').append(navigation(groups, shapes));
  main.append(
    element('section', { class: 'intro' }, element('h1', {}, `${api.info.title} reference`), element('p', { class: 'lead' }, api.info.summary ?? ''), prose(api.info.description)),
    ...groups.map(group => section(group, api)),
    element('section', { 'aria-labelledby': 'shapes' }, element('h2', { id: 'shapes' }, 'Shapes'), element('p', {}, 'What the calls take and give. A field is always there unless it is optional.'), shapes.map(([name, schema]) => shapeCard(name, schema))),
  );
  $('state').remove();
  // What the address names is on the page only now.
  if (location.hash.length > 1) $(named(location.hash.slice(1)))?.scrollIntoView();
}

/** An address that a person typed may hold a lone percent sign. */
function named(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function navigation(groups, shapes) {
  const wide = matchMedia('(min-width: 60rem)');
  const all = element('details', {}, element('summary', {}, 'Contents'),
    groups.map(({ name, operations }) => [
      element('h2', {}, name),
      element('ul', {}, operations.map(({ method, path, operation }) => element('li', {}, element('a', { href: `#${operation.operationId}` }, badge(method), element('span', { class: 'path' }, ...breakable(path)))))),
    ]),
    element('h2', {}, 'Shapes'),
    element('ul', { class: 'names' }, shapes.map(([name]) => element('li', {}, element('a', { href: `#${shapeId(name)}` }, name)))));
  const fit = () => { all.open = wide.matches; };
  wide.addEventListener('change', fit);
  fit();
  all.addEventListener('click', event => { if (event.target.closest('a') && !wide.matches) all.open = false; });
  return all;
}

const badge = method => element('span', { class: `method ${method.toLowerCase()}` }, method);
/** A long path may be broken after a slash. */
const breakable = path => path.split(/(?<=\/)/).flatMap((part, at) => (at > 0 ? [element('wbr'), part] : [part]));
const idOf = name => `tag-${name.replaceAll(/\W+/g, '-')}`;

function section({ name, description, operations }, api) {
  return element('section', { 'aria-labelledby': idOf(name) }, element('h2', { id: idOf(name) }, name), prose(description), operations.map(each => card(each, api)));
}

function card({ path, method, operation }, api) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return element('article', { class: 'card', id: operationId, 'aria-labelledby': `${operationId}-title` },
    element('header', {}, element('h3', { id: `${operationId}-title` }, summary ?? operationId), element('p', { class: 'call' }, badge(method), element('code', {}, ...breakable(path)))),
    prose(description),
    parameters.length > 0 ? element('h4', {}, 'Parameters') : undefined,
    parameters.length > 0 ? parameterTable(parameters) : undefined,
    body ? [element('h4', {}, 'Body'), element('p', {}, element('span', { class: 'type' }, typeOf(body.schema)), ` as ${type}${requestBody.required ? '' : ', may be left out'}`), prose(requestBody.description)] : undefined,
    element('h4', {}, 'Try it'),
    example(curl(method, path, parameters, body)),
    element('h4', {}, 'Answers'),
    Object.entries(responses).map(([status, response]) => answer(status, resolved(response, api), status === '200')),
    operation['x-events'] ? [element('h4', {}, 'Events'), operation['x-events'].map(eventCard)] : undefined);
}

function parameterTable(parameters) {
  const properties = Object.fromEntries(parameters.map(({ name, schema, description, in: place }) => [name, { ...schema, description: `${description ?? ''} (in the ${place})` }]));
  return shape({ properties, required: parameters.filter(({ required }) => required).map(({ name }) => name) }, 'Parameters');
}

function answer(status, response, open) {
  const media = Object.entries(response.content ?? {});
  const made = element('details', { class: `answer ${status.startsWith('2') ? 'good' : 'bad'}` },
    element('summary', {}, element('span', { class: 'status' }, status === 'default' ? 'other' : status), element('span', {}, inline(response.description))),
    media.map(([type, { schema, example: one }]) => [element('p', {}, element('span', { class: 'type' }, typeOf(schema)), ` as ${type}`), one === undefined ? undefined : example(one)]),
    Object.entries(response.headers ?? {}).map(([name, { description }]) => element('p', {}, 'Header ', element('code', {}, name), ': ', inline(description ?? ''))));
  made.open = open;
  return made;
}

function eventCard({ event, when, data }) {
  return element('div', { class: 'event' }, element('p', {}, element('code', {}, event), ' with ', element('span', { class: 'type' }, data.properties ? 'an object' : typeOf(data))), element('p', {}, when), data.properties ? shape(data, `Data of ${event}`) : undefined);
}

function shapeCard(name, schema) {
  return element('article', { class: 'card', id: shapeId(name), 'aria-labelledby': `${shapeId(name)}-title` }, element('h3', { id: `${shapeId(name)}-title` }, name), prose(schema.description), shape(schema, `Fields of ${name}`), schema.examples?.[0] === undefined ? undefined : example(schema.examples[0]));
}

const resolved = (response, api) => (response.$ref ? api.components.responses[response.$ref.split('/').pop()] : response);

/** The call as a line for a shell; quotes in values are kept from it. */
function curl(method, path, parameters, body) {
  const place = parameters.filter(each => each.in === 'path').reduce((text, { name, example: one }) => text.replace(`{${name}}`, encodeURIComponent(one ?? name)), path);
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
  const url = quoted(`${location.origin}${place}`);
  if (method === 'GET') return `curl -k ${url}`;
  if (!body) return `curl -k -X ${method} ${url}`;
  return `curl -k ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body.example ?? {}))}`;
}

try {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  draw(await response.json());
} catch (error) {
  $('state').textContent = `The reference could not be read: ${error.message}. Is the service running? Load this page again.`;
  $('state').className = 'failed';
}
main.removeAttribute('aria-busy');
