/** What of a configuration nobody reads: licences, passwords, and options whose schema says `writeOnly`. */
import type { Step } from '../../machine/json.js';
import { isToken } from '../licences/licence.js';

const SECRET = /(?:password|passphrase|secret|token|api_?key|credential)s?$/i;

type Json = Readonly<Record<string, unknown>>;

/** Of a plugin's options, at one place. */
interface Schema {
  readonly type?: unknown;
  readonly writeOnly?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The value without licences and passwords, by the names of its keys. @param key its own */
export const withoutSecrets = (value: unknown, key?: Step): unknown =>
  mapped(value, undefined, key === undefined ? [] : [key], (name, inner) => {
    if (name !== 'licence') return '(hidden)';
    return isToken(String(inner)) ? '(a licence)' : inner;
  });

/** In place of a secret in what a page gets; the page sends it back for one that stays. */
export interface Kept {
  /** Where the secret is in the plugin's options. */
  readonly platenSecret: readonly Step[];
}

/**
 * The options as a page gets them.
 * @param schema of the options
 */
export const withMarks = (options: Json, schema: object | undefined): Json =>
  mapped(options, schema as Schema | undefined, [], (_, __, path): Kept => ({ platenSecret: path })) as Json;

/**
 * What a page sent, with each mark replaced by the secret that it stands for.
 * @param options that hold
 * @throws Error for a mark that stands for none
 */
export function withoutMarks(sent: unknown, options: Json, schema: object | undefined): unknown {
  if (Array.isArray(sent)) return sent.map(each => withoutMarks(each, options, schema));
  if (typeof sent !== 'object' || sent === null) return sent;
  const { platenSecret: path } = sent as Partial<Kept>;
  if (Array.isArray(path)) {
    let [value, at]: [unknown, Schema | undefined] = [options, schema as Schema | undefined];
    for (const step of path as Step[]) {
      value = Object.hasOwn(Object(value) as object, step) ? (value as Record<Step, unknown>)[step] : undefined;
      at = typeof step === 'number' ? at?.items : at?.properties?.[step];
    }
    if (value === undefined || !isSecret(path.at(-1) as Step, at, value))
      throw new Error('What was to stay as it is has changed meanwhile. Load the page again.');
    return value;
  }
  return Object.fromEntries(Object.entries(sent).map(([key, inner]) => [key, withoutMarks(inner, options, schema)]));
}

/** The options as a person sees them. */
export const withHidden = (options: Json, schema: object | undefined): Json =>
  mapped(options, schema as Schema | undefined, [], () => '(hidden)') as Json;

/** The schema with `writeOnly` at each option whose name says that it is a secret. */
export const withSecretsNamed = (schema: object): object => {
  const named = ({ properties, items, ...rest }: Schema): Schema => ({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [
          name,
          { ...named(inner), ...(SECRET.test(name) && inner.type === 'string' ? { writeOnly: true } : {}) },
        ]),
      ),
    }),
    ...(items && { items: named(items) }),
  });
  return named(schema);
};

/** Whether the options have a secret. */
export function hasSecret(options: Json, schema: object | undefined): boolean {
  let found = false;
  mapped(options, schema as Schema | undefined, [], (_, inner) => ((found = true), inner));
  return found;
}

function isSecret(key: Step | undefined, schema: Schema | undefined, value: unknown): boolean {
  if (typeof value === 'object' || typeof key !== 'string') return false;
  return schema?.writeOnly === true || (typeof value === 'string' && (key === 'licence' || SECRET.test(key)));
}

/** @param hidden called with each secret; its result is put in its place */
function mapped(
  value: unknown,
  schema: Schema | undefined,
  path: readonly Step[],
  hidden: (key: Step | undefined, value: unknown, path: readonly Step[]) => unknown,
): unknown {
  const key = path.at(-1);
  if (isSecret(key, schema, value)) return hidden(key, value, path);
  if (Array.isArray(value)) return value.map((each, at) => mapped(each, schema?.items, [...path, at], hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      mapped(inner, schema?.properties?.[name], [...path, name], hidden),
    ]),
  );
}
