/**
 * The builders of JSON schemas that the service uses, with typebox's types. typebox itself, as it is loaded at run time,
 * is 370 modules and a sixth of the service's start; what these builders return is the same, which tests compare.
 */
import type { Static as StaticOf, TSchema, Type as Typebox } from 'typebox';

/** A mark that typebox's other functions look for, and JSON does not show. */
function marked(mark: '~kind' | '~optional', value: string | true, schema: object): object {
  return Object.defineProperty(schema, mark, { value, configurable: true, writable: true });
}

const isOptional = (schema: object): boolean => '~optional' in schema;

const simple =
  (kind: string, fields: object) =>
  (options?: object): object =>
    marked('~kind', kind, { ...fields, ...options });

const builders = {
  String: simple('String', { type: 'string' }),
  Number: simple('Number', { type: 'number' }),
  Integer: simple('Integer', { type: 'integer' }),
  Boolean: simple('Boolean', { type: 'boolean' }),
  Null: simple('Null', { type: 'null' }),
  Unknown: simple('Unknown', {}),
  Literal: (value: string | number | boolean, options?: object) =>
    marked('~kind', 'Literal', { type: typeof value, const: value, ...options }),
  Enum: (values: readonly string[], options?: object) => marked('~kind', 'Enum', { enum: values, ...options }),
  Union: (schemas: readonly object[], options?: object) => marked('~kind', 'Union', { anyOf: schemas, ...options }),
  Array: (items: object, options?: object) => marked('~kind', 'Array', { type: 'array', items, ...options }),
  /** Of text keys only. */
  Record: (_key: object, values: object, options?: object) =>
    marked('~kind', 'Record', { type: 'object', patternProperties: { '^.*$': values }, ...options }),
  Object(properties: Readonly<Record<string, object>>, options?: object) {
    const required = Object.keys(properties).filter(name => !isOptional(properties[name] ?? {}));
    return marked('~kind', 'Object', {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties,
      ...options,
    });
  },
  Optional(schema: object) {
    return marked('~optional', true, Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)));
  },
  Unsafe: (schema: object) => marked('~unsafe' as '~kind', true, { ...schema }),
};

export const Type = builders as unknown as Pick<typeof Typebox, keyof typeof builders>;

// oxlint-disable-next-line typescript/no-namespace -- as typebox has it: a type beside the builders
export declare namespace Type {
  type Static<T extends TSchema> = StaticOf<T>;
}
