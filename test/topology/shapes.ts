/** Holds every request and answer against the schema of its own route; nothing may be in an answer that its schema does not name. */
import * as schemas from '@platen/server/schemas';
import { Ajv, type ValidateFunction } from 'ajv';

interface Shape {
  readonly method: string;
  readonly path: RegExp;
  readonly body?: object;
  readonly answer: object;
  /** Of an answer that is no success; a plain failure when absent. */
  readonly failure?: object;
}

const shapes: readonly Shape[] = [
  { method: 'GET', path: /^\/$/, answer: schemas.RootInfo },
  { method: 'GET', path: /^\/api\/twain\/status$/, answer: schemas.ServiceStatus },
  { method: 'GET', path: /^\/api\/twain\/version$/, answer: schemas.VersionInfo },
  { method: 'GET', path: /^\/api\/twain\/scanners$/, answer: schemas.ScannerList },
  { method: 'GET', path: /^\/api\/twain\/scanners\/[^/]+\/capabilities$/, answer: schemas.CapabilitiesAnswer },
  {
    method: 'POST',
    path: /^\/api\/twain\/scan$/,
    body: schemas.ScanBody,
    answer: schemas.ScanResult,
    failure: { anyOf: [schemas.ScanResult, schemas.Failure] },
  },
  { method: 'POST', path: /^\/api\/twain\/cancel$/, body: schemas.CancelBody, answer: schemas.Done },
  { method: 'POST', path: /^\/api\/twain\/autoscan\/enable$/, body: schemas.EnableBody, answer: schemas.Done },
  { method: 'POST', path: /^\/api\/twain\/autoscan\/disable$/, answer: schemas.Done },
  {
    method: 'POST',
    path: /^\/api\/twain$/,
    body: schemas.DirectBody,
    answer: schemas.DirectAnswer,
    failure: { anyOf: [schemas.DirectAnswer, schemas.Failure] },
  },
];

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const compiled = new Map<object, ValidateFunction>();

/** @throws where a body that a test sends does not fit its route's schema */
export function checkBody(method: string, path: string, body: object): void {
  const schema = shapeOf(method, path)?.body;
  if (schema) check(schema, body, `the body of ${method} ${path}`, schema);
}

/** @throws where an answer does not fit its route's schema */
export function checkAnswer(method: string, path: string, status: number, json: unknown): void {
  const shape = shapeOf(method, path);
  const ok = status >= 200 && status < 300;
  if (ok && !shape) return;
  const schema = (ok ? shape?.answer : shape?.failure) ?? schemas.Failure;
  check(schema, json, `the answer of ${method} ${path} (${status})`, closed(schema) as object);
}

const message = (field: string): object => ({ type: 'object', required: [field], properties: { [field]: { type: 'string', minLength: 1 } } });
const events: Readonly<Record<string, object>> = { image: schemas.Image, disabled: message('message'), error: message('error') };

/** @throws where an event is none of the interface's, or its data does not fit */
export function checkEvent(name: string, data: unknown): void {
  const schema = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!schema) throw new Error(`there is no event ${name}`);
  check(schema, data, `the data of an event ${name}`, closed(schema) as object);
}

function shapeOf(method: string, path: string): Shape | undefined {
  const [pathname = ''] = path.split('?', 1);
  return shapes.find(each => each.method === method && each.path.test(pathname));
}

function check(schema: object, value: unknown, what: string, held: object): void {
  const validate = compiled.get(schema) ?? ajv.compile(held);
  compiled.set(schema, validate);
  if (!validate(value)) throw new Error(`${what} does not fit its schema: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)?.slice(0, 400)}`);
}

/** The same schema with every object closed to further fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}
