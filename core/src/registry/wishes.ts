/** What requests say to recognisers and processors of plugins: checked against their own schemas. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { InvalidValue } from '../contract/errors.js';
import { schemaProblems } from '../schema/problems.js';

/** Its own instance: the plugins' options are checked with other settings. */
const ajv = new Ajv2020({ useDefaults: true, strict: false, verbose: true, logger: false, validateSchema: false });
const compiled = new WeakMap<object, ValidateFunction>();

/** Of a contribution without a schema. */
export const noWishes = { type: 'object', properties: {}, additionalProperties: false } as const;

/** @returns why requests cannot be checked against it, to follow the schema's name; undefined if they can */
export function schemaFault(schema: unknown): string | undefined {
  if (schema === undefined) return undefined;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'is not a JSON Schema';
  try {
    // The OpenAPI document repeats it. Only what JSON holds is finite.
    if (hasReference(JSON.parse(JSON.stringify(schema)))) return 'has a $ref or an $id: write the schema without';
  } catch {
    return 'cannot be written as JSON';
  }
  const { type = 'object', $async } = schema as { readonly type?: unknown; readonly $async?: unknown };
  // Its check would promise an answer, which is true for any request.
  if ($async !== undefined) return 'has $async: write the schema without';
  if (type !== 'object') return 'describes no object: give it the type object';
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return `is not a valid JSON Schema (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** It is repeated in the OpenAPI document, where a reference would lead elsewhere. */
function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, each]) => (/^\$(?:ref|dynamicRef|id)$/.test(key) && typeof each === 'string') || hasReference(each),
  );
}

/**
 * @param field of the request, for the error: `recognise.stamp`
 * @returns a copy with the schema's defaults
 * @throws `InvalidValue` of the first field that the schema does not accept
 */
export function wishesOf(field: string, schema: object | undefined, given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidValue(field, 'an object; {} for the defaults');
  if (isDeeper(given, MOST_LEVELS)) throw new InvalidValue(field, `at most ${MOST_LEVELS} levels of values`);
  const wishes = structuredClone(given) as Record<string, unknown>;
  const check = validatorOf(schema ?? noWishes);
  if (check(wishes)) return wishes;
  const [problem] = schemaProblems(check.errors ?? [], { root: field, words: 'description' });
  if (!problem) throw new InvalidValue(field, 'something else');
  const { path, code, accepts, allowed, rule } = problem;
  if (code === 'unknown-key') throw new InvalidValue(path, `nothing: ${field} has ${accepts}`, allowed);
  throw new InvalidValue(path, rule === undefined ? accepts : `another value: it ${rule}`, allowed);
}

/** Of objects and lists in each other: more would exhaust the stack of what copies and stores them. */
const MOST_LEVELS = 50;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1));
}

function validatorOf(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const check = ajv.compile(schema);
  compiled.set(schema, check);
  return check;
}
