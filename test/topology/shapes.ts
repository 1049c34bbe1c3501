/**
 * Checks every request and answer against the service's own OpenAPI document; a field that the document lacks is an
 * error.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import { fileOfRun } from './runFolder.js';

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
  readonly 'x-events'?: readonly { readonly event: string; readonly data: object }[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The document that the service publishes on this system: the first process of a run asks for it. */
export const document = JSON.parse(await readFile(await fileOfRun('openapi.json', writeDocument), 'utf8')) as OpenApi;
const { paths, components } = document;
const failure = { $ref: '#/components/schemas/Failure' };
const coded = { $ref: '#/components/schemas/CodedFailure' };

/** Only its route definitions are used; without plugins, it lists no words of theirs. */
async function writeDocument(file: string): Promise<void> {
  const [{ buildApp }, { createRegistry }] = await Promise.all([import('@platen/server'), import('@platen/core')]);
  const consent = { admits: () => true, hasToken: () => false, allows: () => true };
  const routeParts = { version: '0.0.0.0', registry: createRegistry(), consent } as unknown as Parameters<
    typeof buildApp
  >[0]['routeParts'];
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  const answer = await app.inject('/openapi.json');
  await app.close();
  await writeFile(file, answer.body);
}

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const compiled = new Map<object, ValidateFunction>();

/** A schema as it is, or without fields that it does not name. */
type Reading = 'open' | 'closed';
// Each component has a name of its own: it is then compiled once, not for each schema that refers to it.
for (const reading of ['open', 'closed'] as const)
  for (const [name, schema] of Object.entries(components.schemas))
    ajv.addSchema(read(reading, schema), `/${reading}/${name}`);

/** @throws if a body that a test sends does not match its route's schema */
export function checkBody(method: string, path: string, body: object): void {
  const schema = schemaOf(operationOf(method, path)?.requestBody);
  if (schema) check(schema, body, `the body of ${method} ${path}`, 'open');
}

/** @throws if an answer does not match its route's schema for the status */
export function checkAnswer(method: string, path: string, status: number, json: unknown): void {
  const responses = operationOf(method, path)?.responses;
  const ok = (status >= 200 && status < 300) || status === 304;
  if (ok && !responses) return;
  const response = responses?.[status];
  // Plain text and streams are not checked here; 304 has no body.
  if ((response?.content && !schemaOf(response)) || (response && status === 304)) return;
  const schema = schemaOf(response) ?? (/^\/api\/(?:profiles|scans|separator)\b/.test(path) ? coded : failure);
  check(schema, json, `the answer of ${method} ${path} (${status})`, 'closed');
  if (status >= 400) checkKeys(method, path, status, json);
}

const refusalKeys = 'error success';
const codedKeys = /^(?:allowed )?code error(?: field)?(?: link may)? success$/;
const scanKeys = /^elapsedMs error imageCount images message(?: notes)? status success$/;
const commandKeys = 'commandId data kind method results';
/** In a Scan result, what refuses a scan before it begins. */
const refusing: ReadonlySet<unknown> = new Set(['InvalidValue', 'DeviceNotFound', 'NoSourceOpen', 'NotConnected']);

/** The exact keys of every error: a schema alone would also take a Scan result where only the error may be. */
export function checkKeys(method: string, path: string, status: number, json: unknown): void {
  const keys = Object.keys((json ?? {}) as object)
    .sort()
    .join(' ');
  const { images = [], status: said } = (json ?? {}) as { images?: readonly unknown[]; status?: unknown };
  const [pathname = ''] = path.split('?', 1);
  const isExact =
    keys === refusalKeys ||
    (/^\/api\/(?:consent|documents|profiles|scans|separator)(?:\/|$)/.test(pathname) && codedKeys.test(keys)) ||
    (pathname === '/api/twain' && keys === commandKeys) ||
    (pathname === '/api/twain/scan' && scanKeys.test(keys) && (images.length > 0 || !refusing.has(said)));
  if (!isExact) throw new Error(`the answer of ${method} ${path} (${status}) has other keys than an error: ${keys}`);
}

/** @throws if this stream has no such event, or its data does not match */
export function checkEvent(path: string, name: string, data: unknown): void {
  const schema = operationOf('GET', path)?.['x-events']?.find(({ event }) => event === name)?.data;
  if (!schema) throw new Error(`${path} has no event ${name}`);
  check(schema, data, `the data of an event ${name}`, 'closed');
}

const schemaOf = (media: Media | undefined): object | undefined => media?.content?.['application/json']?.schema;

function operationOf(method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?', 1);
  const fits = (template: string): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  const template = Object.keys(paths).find(fits);
  return template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
}

function check(schema: object, value: unknown, what: string, reading: Reading): void {
  const validate = compiled.get(schema) ?? ajv.compile(read(reading, schema));
  compiled.set(schema, validate);
  if (!validate(value))
    throw new Error(
      `${what} does not fit its schema: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)?.slice(0, 400)}`,
    );
}

/** The same schema with the components of that reading; closed, without additional fields in any object. */
function read<S>(reading: Reading, schema: S): S;
function read(reading: Reading, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(each => read(reading, each as unknown));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, read(reading, value as unknown)]),
  );
  if (typeof copy['$ref'] === 'string') copy['$ref'] = copy['$ref'].replace('#/components/schemas/', `/${reading}/`);
  if (reading === 'closed' && 'properties' in copy) copy['additionalProperties'] = false;
  return copy;
}
