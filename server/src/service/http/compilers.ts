/**
 * Compiles a route's schemas when a request or an answer first needs them. To compile those of all routes would be a
 * third of the start's processor time, and a service needs few of them.
 */
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { lateRequire } from '@platen/core';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler, FastifyServerOptions, FastifySchemaValidationError } from 'fastify';
import { ajvOptions } from '../parameters/validation.js';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** What was compiled of a schema: routes share those of their errors, and apps of one process all. */
const checks = new WeakMap<object, ValidateFunction>();
const serializersOf = new WeakMap<object, Serialize>();

type Serialize = (value: unknown) => string;

const serializers = lateRequire<() => SerializerFactory>('@fastify/fast-json-stringify-compiler', import.meta.url);

/** By its name, the types of packages of fastify need not be found from here. */
export interface LateCompilers {
  readonly buildValidator: NonNullable<Factories['buildValidator']>;
  readonly buildSerializer: NonNullable<Factories['buildSerializer']>;
}

/** For fastify's `schemaController`. A schema that does not compile fails the requests that need it. */
export function lazyCompilers(): LateCompilers {
  const ajv = new Ajv(ajvOptions);
  const validator: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
    let check: ValidateFunction | undefined;
    const compiled = (): ValidateFunction => {
      const known = typeof schema === 'object' ? checks.get(schema) : undefined;
      const made = known ?? ajv.compile(schema);
      if (typeof schema === 'object') checks.set(schema, made);
      return made;
    };
    // As Ajv's own: a handler that checks a part of its body by itself expects false, and reads `errors`.
    const validate: ReturnType<FastifySchemaCompiler<AnySchema>> = (value: unknown) => {
      check ??= compiled();
      const isValid = check(value);
      validate.errors = (check.errors ?? null) as FastifySchemaValidationError[] | null;
      return isValid;
    };
    return validate;
  };
  return {
    // Fastify's type takes compilers of its own package only.
    buildValidator: (() => validator) as unknown as NonNullable<Factories['buildValidator']>,
    buildSerializer: (shared, options) => {
      let compile: ReturnType<SerializerFactory> | undefined;
      return route => {
        let serialize: Serialize | undefined;
        const compiled = (): Serialize => {
          compile ??= serializers()()(shared, options);
          return compile(route);
        };
        const { schema } = route as { readonly schema: object };
        return (value: unknown) => {
          if (!serialize) serializersOf.set(schema, (serialize = serializersOf.get(schema) ?? compiled()));
          return serialize(value);
        };
      };
    },
  };
}
