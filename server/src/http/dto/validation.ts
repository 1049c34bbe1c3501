/** Checks requests: what ajv finds is a value of a field that is not taken, and words are put into the interface's spelling. */
import { InvalidValue, schemaProblems, type SchemaError } from '@platen/core';

/** Nothing is coerced, dropped or filled in, and a mistake brings the schema that it breaks. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strict: false,
  validateSchema: false,
} as const;

/** The parts of a JSON Schema in which words are spelt. */
interface Node {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/**
 * The first thing that is wrong with a request. Fields are named as the interface does, without their container.
 * @param whole what the value is called that was checked
 */
export function invalidValueOf(errors: readonly SchemaError[], whole = 'the body'): InvalidValue {
  const [problem] = schemaProblems(errors, { words: 'description' });
  const field = problem?.path.replace(/^(?:parameters|params)\./, '') ?? '';
  return new InvalidValue(field || whole, problem?.accepts ?? 'something else', problem?.allowed);
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
  return Object.fromEntries(
    known.map(([key, child]) => [key, inOurSpelling(child, (value as Record<string, unknown>)[key])]),
  );
}

/** A request's body in our spelling; no body is an empty one, and `null` parameters are none. */
export function spelt<T>(schema: Node, body: unknown): T {
  const value = inOurSpelling(schema, body ?? {});
  if (typeof value === 'object' && value !== null) {
    for (const key of ['parameters', 'params'])
      if (Reflect.get(value, key) === null) Reflect.deleteProperty(value, key);
  }
  return value as T;
}
