/** Turns what ajv says of a request into a sentence that names the field and what it takes. */
import { InvalidValue } from '@platen/core';
import type { FastifySchemaValidationError } from 'fastify';

/** Nothing is coerced, dropped or filled in, and a mistake brings the schema that it breaks. */
export const ajvOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false, verbose: true, strict: false, validateSchema: false } as const;

/** The parts of a JSON Schema that say what a field takes. */
interface Node {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** ajv gives `parentSchema` when it is verbose. */
type Problem = FastifySchemaValidationError & { parentSchema?: Node };

/** What a field of this schema takes, to follow "takes". */
export function acceptsOf(node: Node): string {
  if (node.enum) return `one of ${node.enum.join(', ')}`;
  if (node.type === 'integer') {
    if (node.maximum !== undefined) return `an integer from ${node.minimum ?? 0} to ${node.maximum}`;
    return `an integer of at least ${node.minimum ?? 0}`;
  }
  if (node.type === 'boolean') return 'true or false';
  if (node.type === 'array') return node.items ? `a list, each item ${acceptsOf(node.items)}` : 'a list';
  if (node.type === 'object') return 'a JSON object';
  return node.description ?? 'a string';
}

/**
 * The first thing that is wrong with a request. Fields are named as the interface does, without their container.
 * @param whole what the value is called that was checked
 */
export function invalidValueOf(problems: readonly FastifySchemaValidationError[], whole = 'the body'): InvalidValue {
  const problem = problems[0] as Problem | undefined;
  const node = problem?.parentSchema ?? {};
  const missing = problem?.params?.['missingProperty'];
  if (typeof missing === 'string') return new InvalidValue(missing, acceptsOf(node.properties?.[missing] ?? {}));
  return new InvalidValue(fieldOf(problem?.instancePath ?? '') || whole, acceptsOf(node));
}

function fieldOf(path: string): string {
  const parts = path.split('/').slice(1).filter((part, at) => at > 0 || (part !== 'parameters' && part !== 'params') || path.indexOf('/', 1) < 0);
  return parts.map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}

/**
 * The same values with enumerated words in the interface's spelling, whatever their letter case; the rest as it is.
 * Nothing is copied that the schema does not know.
 */
export function inOurSpelling(node: Node, value: unknown): unknown {
  if (node.enum && typeof value === 'string') {
    const lower = value.toLowerCase();
    return node.enum.find(each => typeof each === 'string' && each.toLowerCase() === lower) ?? value;
  }
  if (node.items && Array.isArray(value)) return value.map(item => inOurSpelling(node.items ?? {}, item));
  if (!node.properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const known = Object.entries(node.properties).filter(([key]) => Object.hasOwn(value, key));
  return Object.fromEntries(known.map(([key, child]) => [key, inOurSpelling(child, (value as Record<string, unknown>)[key])]));
}

/** A request's body in our spelling; no body is an empty one, and `null` parameters are none. */
export function spelt<T>(schema: Node, body: unknown): T {
  const value = inOurSpelling(schema, body ?? {});
  if (typeof value === 'object' && value !== null) {
    for (const key of ['parameters', 'params']) if (Reflect.get(value, key) === null) Reflect.deleteProperty(value, key);
  }
  return value as T;
}
