/** Checks requests: turns ajv's errors into rejected fields, and puts words into the interface's spelling. */
import { InvalidValue, schemaProblems, type SchemaError } from '@platen/core';

/** ajv coerces, drops and fills in nothing; each error includes the violated schema. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strict: false,
  validateSchema: false,
} as const;

/** The parts of a JSON Schema that spell out words. */
interface Node {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/**
 * The first invalid value of a request. Fields have the interface's names, without their container.
 * @param whole the name of the checked value
 */
export function invalidValueOf(errors: readonly SchemaError[], whole = 'the body'): InvalidValue {
  const [problem] = schemaProblems(errors, { words: 'description' });
  const field = problem?.path.replace(/^(?:parameters|params)\./, '') ?? '';
  return new InvalidValue(field || whole, problem?.accepts ?? 'something else', problem?.allowed);
}

/**
 * Puts enumerated words, in any letter case, into the interface's spelling; leaves other values unchanged.
 * Does not copy fields that the schema does not have.
 */
export function inOurSpelling(node: Node, value: unknown): unknown {
  if (node.enum && typeof value === 'string') {
    const lower = value.toLowerCase();
    return node.enum.find(each => typeof each === 'string' && each.toLowerCase() === lower) ?? value;
  }
  if (node.items && Array.isArray(value)) return value.map(item => inOurSpelling(node.items ?? {}, item));
  if (!node.properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const known = Object.entries(node.properties).filter(([key]) => Object.hasOwn(value, key));
  return Object.fromEntries(
    known.map(([key, child]) => [key, inOurSpelling(child, (value as Record<string, unknown>)[key])]),
  );
}

/** A request's body in the interface's spelling; no body counts as an empty one, `null` parameters as absent. */
export function spelt<T>(schema: object, body: unknown): T {
  const value = inOurSpelling(schema, body ?? {});
  if (typeof value === 'object' && value !== null) {
    for (const key of ['parameters', 'params'])
      if (Reflect.get(value, key) === null) Reflect.deleteProperty(value, key);
  }
  return value as T;
}
