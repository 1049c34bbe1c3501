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

type Serialize = (value: unknown) => string;

/** One for all apps of a process: Ajv keeps what it compiled of a schema. */
const ajv = new Ajv(ajvOptions);
/** What was compiled of a schema: routes share those of their errors. */
const serializersOf = new WeakMap<object, Serialize>();

const serializers = lateRequire<() => SerializerFactory>('@fastify/fast-json-stringify-compiler', import.meta.url);

/** By its name, the types of packages of fastify need not be found from here. */
export interface LateCompilers {
  readonly buildValidator: NonNullable<Factories['buildValidator']>;
  readonly buildSerializer: NonNullable<Factories['buildSerializer']>;
}

/** For fastify's `schemaController`. A schema that does not compile fails the requests that need it. */
export function lazyCompilers(): LateCompilers {
  const validator: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
    let check: ValidateFunction | undefined;
    // As Ajv's own: a handler that checks a part of its body by itself expects false, and reads `errors`.
    const validate: ReturnType<FastifySchemaCompiler<AnySchema>> = (value: unknown) => {
      check ??= ajv.compile(schema);
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
        const { schema } = route as { readonly schema: object };
        return (value: unknown) => {
          let serialize = serializersOf.get(schema);
          if (!serialize) {
            compile ??= serializers()()(shared, options);
            serialize = compile(route) as Serialize;
            serializersOf.set(schema, serialize);
          }
          return serialize(value);
        };
      };
    },
  };
}
