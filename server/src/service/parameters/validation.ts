/**
 * Checks requests: turns ajv's errors into rejected fields, puts words into the interface's spelling, and ignores what a
 * client of the interface alone cannot mean.
 */
import { InvalidValue, noteOnField, schemaProblems, type ScanNote, type SchemaError } from '@platen/core';
import { Ajv, type ValidateFunction } from 'ajv';

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
  readonly required?: readonly string[];
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
 * Does not copy fields that the schema does not have, nor optional ones that are null: many serialisers write null for
 * "not set".
 */
export function inOurSpelling(node: Node, value: unknown): unknown {
  if (node.enum && typeof value === 'string') {
    const lower = value.toLowerCase();
    return node.enum.find(each => typeof each === 'string' && each.toLowerCase() === lower) ?? value;
  }
  if (node.items && Array.isArray(value)) return value.map(item => inOurSpelling(node.items ?? {}, item));
  if (!node.properties || !isFields(value)) return value;
  const isGiven = (key: string): boolean =>
    Object.hasOwn(value, key) && (value[key] !== null || node.required?.includes(key) === true);
  const known = Object.entries(node.properties).filter(([key]) => isGiven(key));
  return Object.fromEntries(known.map(([key, child]) => [key, inOurSpelling(child, value[key])]));
}

/** A request's body in the interface's spelling; no body counts as an empty one. */
export function spelt<T>(schema: object, body: unknown): T {
  return inOurSpelling(schema, body ?? {}) as T;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * For the interface's own endpoints, where a client may use the name of an addition for something else.
 * @param additions the schemas of the fields that the interface does not have, by name
 * @returns removes from a value those that it does not take, with a note each, and empty strings without one
 */
export function ignoring(additions: Readonly<Record<string, object>>): (value: unknown) => ScanNote[] {
  let check: ValidateFunction | undefined;
  return value => {
    if (!isFields(value)) return [];
    for (const name of Object.keys(additions)) if (value[name] === '') delete value[name];
    check ??= new Ajv({ ...ajvOptions, allErrors: true }).compile({ type: 'object', properties: additions });
    if (check(value)) return [];
    const notes = new Map<string, ScanNote>();
    for (const { path, accepts } of schemaProblems(check.errors ?? [], { words: 'description' })) {
      const [name = ''] = path.split(/[.[]/, 1);
      if (notes.has(name)) continue;
      delete value[name];
      notes.set(name, noteOnField('field-ignored', name, `was ignored: ${path} takes ${accepts}.`));
    }
    return [...notes.values()];
  };
}

export interface Shape {
  readonly properties: object;
}

/** A note for each parameter that stands beside the container of the parameters. */
export function besideNotes(body: unknown, own: Shape, parameters: Shape, container: string): ScanNote[] {
  if (!isFields(body)) return [];
  return Object.keys(parameters.properties)
    .filter(name => Object.hasOwn(body, name) && body[name] !== null && !Object.hasOwn(own.properties, name))
    .map(name =>
      noteOnField('field-ignored', name, `stands beside ${container} and was ignored: put it into ${container}.`),
    );
}
