/** Checks a plugin's input and output: its options, its default export, its contributions. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Contributions, Plugin } from '../contract/plugin.js';
import { kindOf, problemSentence, schemaProblems } from '../schema/problems.js';

/** Shared: the meta-schema takes 100 ms to compile, and faults of a schema are found without it. */
const ajv = new Ajv2020({
  useDefaults: true,
  allErrors: false,
  strict: false,
  verbose: true,
  logger: false,
  validateSchema: false,
  // A schema is compiled for one use: optimised code would save less time than it takes.
  code: { optimize: false },
});

/** Two plugins may use the same schema id. */
function compiled(schema: object): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** @returns the fault of the options, as a sentence that does not quote a value: it may be a secret; also fills in the schema's defaults */
export function optionsFault(schema: object | undefined, options: Record<string, unknown>): string | undefined {
  const check = compiled(schema ?? { type: 'object', additionalProperties: false });
  if (check(options)) return undefined;
  const [problem] = schemaProblems(check.errors ?? [], { root: 'options' });
  return problem && problemSentence(problem, 'options', kindOf);
}

/** Whether a package's default export looks like a plugin of any api. */
export function isPlugin(value: unknown): value is Plugin {
  const plugin = value as Partial<Plugin> | null | undefined;
  return (
    typeof plugin === 'object' &&
    plugin !== null &&
    typeof plugin.name === 'string' &&
    typeof plugin.setup === 'function'
  );
}

/** Required members of each kind of contribution, and their types. */
const members = {
  drivers: { id: 'string', devices: 'function', open: 'function', close: 'function' },
  formats: { name: 'string', aliases: 'object', mimeType: 'string', encode: 'function' },
  recognisers: { kind: 'string', read: 'function' },
  processors: { apply: 'function' },
  documents: { name: 'string', mimeType: 'string', extension: 'string', write: 'function' },
} as const satisfies Record<Exclude<keyof Contributions, OtherMember>, Record<string, string>>;

/** Members that are not lists. */
const others = ['lacks', 'follow', 'health', 'find', 'close'] as const satisfies readonly (keyof Contributions)[];
type OtherMember = (typeof others)[number];
const isOther = (key: string): boolean => others.some(each => each === key);

/** @returns the fault in the return value of a plugin's `setup` */
export function contributionsFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'setup returned no contributions';
  const unknown = Object.keys(value).find(key => !isOther(key) && !Object.hasOwn(members, key));
  if (unknown !== undefined)
    return `setup returned ${unknown}, which is not one of ${Object.keys(members).join(', ')}, lacks, follow, health, find and close`;
  const { lacks } = value as Contributions;
  if (lacks !== undefined && (typeof lacks !== 'string' || lacks === '')) return 'lacks is not a sentence';
  for (const key of ['follow', 'health', 'find', 'close'] as const) {
    const member = (value as Contributions)[key];
    if (member !== undefined && typeof member !== 'function') return `${key} is not a function`;
  }
  for (const [kind, shape] of Object.entries(members)) {
    const list = (value as Record<string, unknown>)[kind] ?? [];
    if (!Array.isArray(list)) return `${kind} is not a list`;
    for (const [index, item] of list.entries()) {
      for (const [member, type] of Object.entries(shape)) {
        const seen = (item as Record<string, unknown> | null)?.[member];
        if (typeof seen !== type || seen === null) return `${kind}[${index}].${member} is not a ${type}`;
      }
    }
  }
  return extensionsFault(value as Contributions);
}

/** Clients ask for a document by its extension; it is looked up in lower case. */
function extensionsFault({ documents = [] }: Contributions): string | undefined {
  for (const [index, { extension, aliases = [] }] of documents.entries()) {
    if (!Array.isArray(aliases)) return `documents[${index}].aliases is not a list`;
    const wrong = [extension, ...aliases].find(each => typeof each !== 'string' || !/^[a-z0-9]+$/.test(each));
    if (wrong !== undefined)
      return `documents[${index}] has the extension "${String(wrong)}": lower-case letters and digits are accepted, without a dot`;
  }
  return undefined;
}
