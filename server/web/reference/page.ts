/** Draws the service's OpenAPI document; its strings are set as text, never as markup. */
import { byId, element, type Child } from '../shared/element.js';
import { example, inline, isFile, nameOf, prose, shape, shapeId, typeOf, type Schema } from './schema.js';

/** The parts of the document that the page shows. */
interface Api {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description?: string;
  };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean; readonly description?: string };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly 'x-events'?: readonly StreamEvent[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
}

interface StreamEvent {
  readonly event: string;
  readonly when: string;
  readonly data: Schema;
}

/** By media type. */
type Content = Readonly<Record<string, Media>>;
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An operation, and how it is called. */
interface Call {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface Group {
  readonly name: string;
  readonly description?: string;
  readonly calls: readonly Call[];
}

const main = byId('content', HTMLElement);
const state = byId('state', HTMLElement);

function draw(api: Api): void {
  byId('title', HTMLElement).textContent = api.info.title;
  byId('version', HTMLElement).textContent = api.info.version;
  document.title = `${api.info.title}: reference`;
  const calls = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = api.tags
    .map(tag => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags?.includes(tag.name)) }))
    .filter(group => group.calls.length > 0);
  const shapes = Object.entries(api.components.schemas);
  byId('nav', HTMLElement).append(
    navigation(
      groups,
      shapes.map(([name]) => name),
    ),
  );
  main.append(
    element(
      'section',
      { class: 'intro' },
      element('h1', {}, `${api.info.title} reference`),
      element('p', { class: 'lead' }, api.info.summary ?? ''),
      prose(api.info.description),
    ),
    ...groups.map(group => section(group, api)),
    element(
      'section',
      { 'aria-labelledby': 'shapes' },
      element('h2', { id: 'shapes' }, 'Shapes'),
      element('p', {}, 'The data of requests and answers. A field is always present unless it is optional.'),
      shapes.map(([name, schema]) => shapeCard(name, schema)),
    ),
  );
  state.remove();
  // The element that the address names exists only now.
  if (location.hash.length > 1) document.getElementById(named(location.hash.slice(1)))?.scrollIntoView();
}

/** A typed address may contain a lone percent sign. */
function named(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function navigation(groups: readonly Group[], shapes: readonly string[]): HTMLElement {
  const wide = matchMedia('(min-width: 60rem)');
  const link = ({ method, path, operation: { operationId } }: Call): HTMLElement =>
    element('a', { href: `#${operationId}` }, badge(method), element('span', { class: 'path' }, breakable(path)));
  const all = element(
    'details',
    {},
    element('summary', {}, 'Contents'),
    groups.map(({ name, calls }) => [
      element('h2', {}, name),
      element(
        'ul',
        {},
        calls.map(call => element('li', {}, link(call))),
      ),
    ]),
    element('h2', {}, 'Shapes'),
    element(
      'ul',
      { class: 'names' },
      shapes.map(name => element('li', {}, element('a', { href: `#${shapeId(name)}` }, name))),
    ),
  );
  const fit = (): void => {
    all.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  fit();
  all.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && !wide.matches) all.open = false;
  });
  return all;
}

const badge = (method: string): HTMLElement => element('span', { class: `method ${method.toLowerCase()}` }, method);
/** A long path may be broken after a slash. */
const breakable = (path: string): Child[] =>
  path.split(/(?<=\/)/).flatMap((part, at) => (at > 0 ? [element('wbr'), part] : [part]));
const idOf = (name: string): string => `tag-${name.replaceAll(/\W+/g, '-')}`;

function section({ name, description, calls }: Group, api: Api): HTMLElement {
  return element(
    'section',
    { 'aria-labelledby': idOf(name) },
    element('h2', { id: idOf(name) }, name),
    prose(description),
    calls.map(call => card(call, api)),
  );
}

function card(call: Call, api: Api): HTMLElement {
  const { operationId, summary, description, parameters = [], requestBody, responses } = call.operation;
  const events = call.operation['x-events'];
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return element(
    'article',
    { class: 'card', id: operationId, 'aria-labelledby': `${operationId}-title` },
    element(
      'header',
      {},
      element('h3', { id: `${operationId}-title` }, summary ?? operationId),
      element('p', { class: 'call' }, badge(call.method), element('code', {}, breakable(call.path))),
    ),
    prose(description),
    parameters.length > 0 && [element('h4', {}, 'Parameters'), parameterTable(parameters)],
    body && [
      element('h4', {}, 'Body'),
      element(
        'p',
        {},
        element('span', { class: 'type' }, typeOf(body.schema)),
        ` as ${type}${requestBody?.required ? '' : ', optional'}`,
      ),
      prose(requestBody?.description),
    ],
    element('h4', {}, 'Try it'),
    example(curl(call, parameters, body)),
    element('h4', {}, 'Answers'),
    Object.entries(responses).map(([status, response]) => answer(status, resolved(response, api), status === '200')),
    events && [element('h4', {}, 'Events'), events.map(eventCard)],
  );
}

function parameterTable(parameters: readonly Parameter[]): HTMLElement {
  const described = ({ schema, description, in: place }: Parameter): Schema => ({
    ...schema,
    description: `${description ?? ''} (in the ${place})`,
  });
  const properties = Object.fromEntries(parameters.map(each => [each.name, described(each)]));
  const required = parameters.filter(each => each.required).map(({ name }) => name);
  return shape({ properties, required }, 'Parameters');
}

function answer(status: string, { description, content = {}, headers = {} }: Answer, open: boolean): HTMLElement {
  const made = element(
    'details',
    { class: `answer ${status.startsWith('2') ? 'good' : 'bad'}` },
    element(
      'summary',
      {},
      element('span', { class: 'status' }, status === 'default' ? 'other' : status),
      element('span', {}, inline(description)),
    ),
    Object.entries(content).map(([type, { schema, example: one }]) => [
      element('p', {}, element('span', { class: 'type' }, typeOf(schema)), ` as ${type}`),
      one !== undefined && example(one),
    ]),
    Object.entries(headers).map(([name, header]) =>
      element('p', {}, 'Header ', element('code', {}, name), ': ', inline(header.description ?? '')),
    ),
  );
  made.open = open;
  return made;
}

function eventCard({ event, when, data }: StreamEvent): HTMLElement {
  return element(
    'div',
    { class: 'event' },
    element(
      'p',
      {},
      element('code', {}, event),
      ' with ',
      element('span', { class: 'type' }, data.properties ? 'an object' : typeOf(data)),
    ),
    element('p', {}, when),
    data.properties && shape(data, `Data of ${event}`),
  );
}

function shapeCard(name: string, schema: Schema): HTMLElement {
  const [one] = schema.examples ?? [];
  return element(
    'article',
    { class: 'card', id: shapeId(name), 'aria-labelledby': `${shapeId(name)}-title` },
    element('h3', { id: `${shapeId(name)}-title` }, name),
    prose(schema.description),
    shape(schema, `Fields of ${name}`),
    one !== undefined && example(one),
  );
}

const resolved = (given: Answer, api: Api): Answer =>
  (given.$ref && api.components.responses[nameOf(given.$ref)]) || given;

/** The call as a shell command; quotes in values are escaped. */
function curl({ method, path, operation }: Call, parameters: readonly Parameter[], body: Media | undefined): string {
  const place = parameters
    .filter(each => each.in === 'path')
    .reduce((text, { name, example: one }) => text.replace(`{${name}}`, encodeURIComponent(one ?? name)), path);
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const url = quoted(`${location.origin}${place}`);
  const isSaved = Object.values(operation.responses['200']?.content ?? {}).some(({ schema }) => isFile(schema));
  // A terminal cannot show it: saved under the name that the service gives it.
  if (method === 'GET') return `curl -k ${isSaved ? '-OJ ' : ''}${url}`;
  if (!body) return `curl -k -X ${method} ${url}`;
  const data = quoted(JSON.stringify(body.example ?? {}));
  return `curl -k ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d ${data}`;
}

try {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  draw((await response.json()) as Api);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  state.textContent = `Could not load the reference: ${why}. Check that the service is running, then reload this page.`;
  state.className = 'failed';
}
main.removeAttribute('aria-busy');
