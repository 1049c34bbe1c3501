import { fakeDriver } from '@platen/conformance';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { testService } from '../service.test.kit.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly description: string;
        readonly headers?: object;
        readonly content?: Readonly<Record<string, Media>>;
      }
    >
  >;
  readonly 'x-events'?: readonly { readonly event: string; readonly data: object }[];
}
interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}
interface Described {
  readonly description?: string;
  readonly $ref?: string;
}
interface OpenApi {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly responses: object;
  };
}

const { app } = await testService(t, fakeDriver());
const answer = await app.inject('/openapi.json');
const document = answer.json<OpenApi>();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

t.test('OpenAPI: version 3.1, every reference resolves', async t => {
  t.match(answer.headers['content-type'], /^application\/json/);
  const validator = new Validator();
  const { valid, errors } = await validator.validate(answer.json<object>() as Record<string, unknown>);
  t.same([valid, errors], [true, undefined]);
  t.equal(validator.version, '3.1');
  for (const [, kind = '', name = ''] of answer.body.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    t.ok(name in ((document.components as Record<string, object>)[kind] ?? {}), `${kind} ${name}`);
  }
  t.notOk(
    (await new Validator().validate({ ...answer.json<Record<string, unknown>>(), info: {} })).valid,
    'the validator sees what is wrong',
  );
});

/** The app's routes from fastify's listing, with `{name}` for `:name`. */
function routesOf(): string[] {
  const lines = app.printRoutes({ commonPrefix: false }).split('\n');
  const stack: string[] = [];
  return lines.flatMap(line => {
    const found = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line);
    if (!found) return [];
    const [, indent = '', part = '', methods = ''] = found;
    stack.length = indent.length / 4;
    stack.push(part);
    const path = stack.join('').replaceAll(/:(\w+)/g, '{$1}');
    return methods
      .split(', ')
      .filter(method => method === 'GET' || method === 'POST' || method === 'DELETE')
      .map(method => `${method} ${path}`);
  });
}

t.test("OpenAPI: has every route except pages' files", async t => {
  const routes = routesOf();
  t.ok(routes.length >= 13, 'routes were found');
  const listed = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  t.same(
    listed.filter(each => !routes.includes(each)),
    [],
  );
  const missing = routes.filter(each => !listed.includes(each));
  t.same(
    missing.filter(
      each =>
        !/^(?:GET \/(?:reference|app|origins|settings|client|component)|POST \/(?:app|origins|settings))\b/.test(each),
    ),
    [],
  );
});

t.test('OpenAPI: each operation has a summary and a description', async t => {
  const ids = operations.map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const {
    path,
    method,
    operation: { operationId, summary, responses, requestBody, tags: own },
  } of operations) {
    const name = `${method} ${path}`;
    t.match(operationId, /^[a-z]\w+$/, name);
    t.ok(summary, name);
    t.ok(own.length === 1 && tags.includes(own[0] ?? ''), `${name} has a tag`);
    t.ok(responses['200']?.content, `${name} says what it answers`);
    for (const [status, { description, $ref }] of Object.entries(responses))
      t.ok($ref ?? (description && description !== 'Default Response'), `${name} ${status}`);
    if (method === 'post' && !/\/(?:disable|\{id\}\/(?:cancel|continue))$/.test(path))
      t.ok(requestBody?.content['application/json']?.schema['$ref'], `${name} says what it takes`);
    if (path.startsWith('/api/')) t.ok(responses['default'], `${name} may fail`);
  }
});

t.test('OpenAPI: each error answer has the Platen-Error header', async t => {
  const headers = { 'Platen-Error': { $ref: '#/components/headers/PlatenError' } };
  for (const { path, method, operation } of operations) {
    for (const [status, { $ref, headers: own }] of Object.entries(operation.responses)) {
      if ($ref === undefined && /^[45]/.test(status) && path !== '/health')
        t.same(own, headers, `${method} ${path} ${status}`);
    }
  }
  t.match(document.components.responses, { Failure: { headers } });
});

t.test('OpenAPI: each header has a schema of its own', async t => {
  const named = operations.flatMap(({ path, operation }) =>
    Object.values(operation.responses).flatMap(({ headers = {} }) =>
      Object.entries(headers).map(([name, header]) => ({ name: `${path} ${name}`, header })),
    ),
  );
  t.ok(named.length > 10);
  for (const { name, header } of named)
    if (!('$ref' in header)) t.match(header, { description: /./, schema: { type: 'string' } }, name);
});

t.test('OpenAPI: optional and required bodies', async t => {
  const required = Object.fromEntries(
    operations.flatMap(({ path, operation: { requestBody } }) => (requestBody ? [[path, requestBody.required]] : [])),
  );
  t.same(required, {
    '/api/twain': true,
    '/api/twain/scan': true,
    '/api/scans': true,
    '/api/consent': false,
    '/api/documents': true,
    '/api/twain/cancel': false,
    '/api/twain/autoscan/enable': false,
    '/api/twain/autoscan/disable': false,
  });
});

t.test('OpenAPI: the event stream, its events and Last-Event-ID', async t => {
  const stream = document.paths['/api/twain/autoscan/events']?.['get'];
  t.same(Object.keys(stream?.responses['200']?.content ?? {}), ['text/event-stream']);
  t.same(
    stream?.['x-events']?.map(({ event }) => event),
    ['image', 'disabled', 'error'],
  );
  t.same(stream?.['x-events']?.[0]?.data, { $ref: '#/components/schemas/Image' });
  t.match(stream?.parameters, [
    { name: 'report', in: 'query' },
    { name: 'scannerName', in: 'query' },
    { name: 'last-event-id', in: 'header' },
  ]);
  t.ok(stream?.responses['409']);
});

t.test('OpenAPI: request fields have descriptions', async t => {
  for (const name of [
    'ScanParameters',
    'DirectScanParameters',
    'StartParameters',
    'Separate',
    'Image',
    'Capabilities',
  ]) {
    const properties = document.components.schemas[name]?.['properties'] as Record<string, Described>;
    const silent = Object.entries(properties).filter(
      // A named shape has its own description.
      ([field, { description, $ref }]) => !(description ?? $ref) && !/^supports|^mimeType$|^format$/.test(field),
    );
    t.same(
      silent.map(([field]) => field),
      [],
      name,
    );
  }
});

t.test("OpenAPI: readable from any origin, with the service's version", async t => {
  const { headers, statusCode } = await app.inject({ url: '/openapi.json', headers: { origin: 'https://a.example' } });
  t.equal(statusCode, 200);
  t.match(headers, { 'access-control-allow-origin': 'https://a.example', 'access-control-allow-credentials': 'true' });
  t.equal(document.info.version, '1.2.3.0');
});
