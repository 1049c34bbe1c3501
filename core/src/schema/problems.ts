/** Validation errors of ajv, as data and as one sentence. */
import { nearest } from './nearest.js';

/** Errors of ajv and fastify; ajv adds schema and data if it is `verbose`. */
export interface SchemaError {
  readonly keyword: string;
  /** A JSON pointer. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  readonly parentSchema?: object | undefined;
  readonly data?: unknown;
}

/** The parts of a JSON schema that describe a value. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly title?: string;
  readonly description?: string;
}

export interface SchemaProblem {
  /** `plugins[0].use`; empty for the whole value. */
  readonly path: string;
  readonly code: 'unknown-key' | 'missing-key' | 'invalid-value';
  /** The allowed values, to follow "takes"; for an unknown key, the known keys. */
  readonly accepts: string;
  /** The allowed values, if they can be listed; for an unknown key, the known keys. */
  readonly allowed?: readonly unknown[];
  /** The value found; undefined for an unknown or missing key. */
  readonly found?: unknown;
  /** The key that was probably meant. */
  readonly suggestion?: string;
  /** ajv's message, if the schema does not explain the fault. */
  readonly rule?: string;
}

const LONGEST_SHOWN = 60;

export interface ProblemOptions {
  /** The name of the checked value, a prefix of each path. */
  readonly root?: string;
  /** Where the schema describes a string, to follow "takes". */
  readonly words?: 'title' | 'description';
}

/** Of several errors at one place, only the most informative one. */
export function schemaProblems(errors: readonly SchemaError[], options: ProblemOptions = {}): SchemaProblem[] {
  const telling = errors.filter(error => !error.schemaPath.includes('/anyOf/'));
  return (telling.length > 0 ? telling : errors)
    .flatMap(error => withinBranch(error, errors))
    .map(error => problemOf(error, options));
}

/** What is wrong in the branch that was meant, by the value's type; the error itself if no branch, or several, were. */
function withinBranch(error: SchemaError, errors: readonly SchemaError[]): readonly SchemaError[] {
  if (error.keyword !== 'anyOf') return [error];
  const branches = ((error.parentSchema as Schema | undefined)?.anyOf ?? [])
    .map((_, at) => errors.filter(({ schemaPath }) => schemaPath.startsWith(`${error.schemaPath}/${at}/`)))
    .filter(each => each.length > 0 && each.every(({ instancePath }) => instancePath !== error.instancePath));
  const [meant = [], ...others] = branches;
  if (meant.length === 0 || others.length > 0) return [error];
  // A further union has an error of its own.
  const outermost = meant.filter(({ schemaPath }) => !schemaPath.slice(error.schemaPath.length).includes('/anyOf/'));
  return outermost.flatMap(each => withinBranch(each, errors));
}

function problemOf(error: SchemaError, { root = '', words }: ProblemOptions): SchemaProblem {
  const schema: Schema = error.parentSchema ?? {};
  const place = pathOf(error.instancePath, root);
  const { additionalProperty, unevaluatedProperty, missingProperty } = error.params;
  const unknown = additionalProperty ?? unevaluatedProperty;
  if (typeof unknown === 'string') {
    const allowed = Object.keys(schema.properties ?? {}).filter(key => key !== '$schema');
    const suggestion = nearest(unknown, allowed);
    const accepts = allowed.join(', ') || 'none';
    return {
      path: join(place, unknown),
      code: 'unknown-key',
      accepts,
      allowed,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
  if (typeof missingProperty === 'string') {
    const own = schema.properties?.[missingProperty] ?? {};
    return {
      path: join(place, missingProperty),
      code: 'missing-key',
      accepts: acceptedBy(own, words),
      ...allowedBy(own),
    };
  }
  const rule = spoken.has(error.keyword) || annotation(schema, words) !== undefined ? undefined : error.message;
  return {
    path: place,
    code: 'invalid-value',
    accepts: acceptedBy(schema, words),
    ...allowedBy(schema),
    found: error.data,
    ...(rule === undefined ? {} : { rule }),
  };
}

/**
 * `Unknown key "listen.prot". Did you mean "port"? Allowed: port.`
 * @param whole replaces an empty path
 * @param show what is said of the value found
 */
export function problemSentence(
  problem: SchemaProblem,
  whole = 'the value',
  show: (value: unknown) => string = shown,
): string {
  const { path, code, accepts, found, suggestion, rule } = problem;
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  if (code === 'unknown-key') return `Unknown key "${path}".${hint} Allowed: ${accepts}.`;
  if (code === 'missing-key') return `Missing key "${path}". It takes ${accepts}.`;
  return rule === undefined ? `${path || whole} takes ${accepts}, not ${show(found)}.` : `${path || whole} ${rule}.`;
}

/** `/plugins/0/use` as people write it: `plugins[0].use`. */
function pathOf(pointer: string, root: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), root);
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Keywords of ajv that `acceptedBy` can describe. */
const spoken: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'minLength',
  'pattern',
  'anyOf',
]);

function acceptedBy(schema: Schema, words: ProblemOptions['words']): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') {
    const list = listOf(schema);
    if (schema.items === undefined || schema.items.type === 'object') return list;
    return `${list}, each item ${acceptedBy(schema.items, words)}`;
  }
  if (schema.type === 'object') return 'a JSON object';
  const said = annotation(schema, words);
  if (said !== undefined) return said;
  if (schema.anyOf) return schema.anyOf.map(each => acceptedBy(each, words)).join(', or ');
  if (schema.pattern !== undefined) return `a string that matches ${schema.pattern}`;
  return schema.minLength === undefined ? 'a string' : 'a string that is not empty';
}

function listOf({ minItems, maxItems }: Schema): string {
  if (maxItems !== undefined) return `a list of ${minItems ?? 0} to ${maxItems} items`;
  return minItems === undefined ? 'a list' : 'a list that is not empty';
}

const annotation = (schema: Schema, words: ProblemOptions['words']): string | undefined =>
  words && schema.type !== 'object' ? schema[words] : undefined;

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): string {
  const kind = type === 'integer' ? 'an integer' : 'a number';
  if (exclusiveMinimum !== undefined) {
    return `${kind} greater than ${exclusiveMinimum}${maximum === undefined ? '' : `, up to ${maximum}`}`;
  }
  if (minimum === undefined) return maximum === undefined ? kind : `${kind} up to ${maximum}`;
  return maximum === undefined ? `${kind} of at least ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

function allowedBy(schema: Schema): { readonly allowed?: readonly unknown[] } {
  const allowed = schema.enum ?? schema.items?.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  return allowed === undefined ? {} : { allowed };
}

/** Never a part of a string: a part is not recognized where the whole must be left out. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return isPlain(value) ? String(value) : kindOf(value);
  return value.length > LONGEST_SHOWN ? `a string of ${value.length} characters` : JSON.stringify(value);
}

const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

/** What a value is, without it: it may be a secret. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} given`;
}
