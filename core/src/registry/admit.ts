/** Which contributions of a plugin are used: those that something can call, and that no other plugin already adds. */
import { pageControls } from '../contract/controls.js';
import { adjustments } from '../contract/words.js';
import { knownKinds } from '../contract/recogniser.js';
import type { Contributions } from '../contract/plugin.js';
import type { Contribution, LoadFault, UnusedContribution } from './entry.js';
import { schemaFault } from './wishes.js';

type Kind = Contribution['kind'];
type Lists = Pick<Contributions, 'drivers' | 'formats' | 'recognisers' | 'processors' | 'documents'>;
type Item<Name extends keyof Lists> = NonNullable<Lists[Name]>[number];

/** How each kind of contribution is named, what may exist only once, and why nothing could call it. */
interface Rules<Each> {
  readonly kind: Kind;
  id(item: Each): string;
  /** `the format Png`; the same in any letter case. @param plugin its name */
  words(item: Each, plugin: string): readonly string[];
  /** To follow its id, without a full stop. */
  uncallable?(item: Each): string | undefined;
}

const rules: { readonly [Name in keyof Lists]-?: Rules<Item<Name>> } = {
  drivers: { kind: 'driver', id: ({ id }) => id, words: ({ id }) => [`the driver ${id}`] },
  formats: {
    kind: 'format',
    id: ({ name }) => name,
    words: ({ name, aliases }) => [name, ...aliases].map(each => `the format ${each}`),
    uncallable: formatFault,
  },
  recognisers: {
    kind: 'recogniser',
    id: ({ kind }) => kind,
    words: (item, plugin) => [`the recogniser ${readerName(item, plugin)} of the kind ${item.kind}`],
    uncallable: recogniserFault,
  },
  processors: {
    kind: 'processor',
    id: processorId,
    words: item => [
      item.adjustment === undefined ? `the processor ${item.name}` : `a processor for ${item.adjustment}`,
    ],
    uncallable: processorFault,
  },
  documents: {
    kind: 'document',
    id: ({ name }) => name,
    words: ({ name, extension, aliases = [] }) =>
      [name, extension, ...aliases].map(each => `the document format ${each.toLowerCase()}`),
  },
};

/** By which a request asks for it. @param plugin the name of its plugin */
export function readerName({ name }: Pick<Item<'recognisers'>, 'name'>, plugin: string): string {
  return name ?? plugin;
}

/** Words that requests, findings and reports have as names of fields; not those that every object has. */
const isWord = (name: unknown): boolean =>
  typeof name === 'string' && /^[A-Za-z][\w-]{0,49}$/.test(name) && !(name in Object.prototype);
const says = 'letters, digits, - and _, from a letter, and not a word such as constructor';

/** `type/subtype` in the characters of RFC 6838. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/i;

function formatFault({ name, aliases, mimeType }: Item<'formats'>): string | undefined {
  if (!/^[A-Za-z0-9]{1,50}$/.test(name)) return 'has a name that no request can say: 1 to 50 letters and digits';
  const isEnding = (each: unknown): boolean => typeof each === 'string' && /^[a-z0-9]{1,50}$/.test(each);
  if (!Array.isArray(aliases) || !aliases.every(isEnding))
    return 'has aliases that are no endings of files: a list of words of lower-case letters and digits';
  return MEDIA_TYPE.test(mimeType) ? undefined : 'has no media type, such as image/webp';
}

function recogniserFault({ kind, wishes, name, ...rest }: Item<'recognisers'>): string | undefined {
  if (name !== undefined && !isLine(name)) return 'has a name that is not a line of 1 to 214 characters';
  if ((knownKinds as readonly string[]).includes(kind)) {
    const { symbologies = {} } = rest as { readonly symbologies?: unknown };
    const isMap = typeof symbologies === 'object' && symbologies !== null && !Array.isArray(symbologies);
    return isMap && Object.values(symbologies).every(each => typeof each === 'string')
      ? undefined
      : 'has symbologies without the spelling of each';
  }
  if (!isWord(kind)) return `has a kind that no request can name: ${says}`;
  const fault = schemaFault(wishes);
  return fault && `has wishes that no request can be checked against: the schema ${fault}`;
}

/** Text without control characters and line ends; names of packages have at most 214 characters. */
function isLine(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.length <= 214 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

function processorFault(item: Item<'processors'>): string | undefined {
  if (item.adjustment !== undefined) {
    const all: readonly string[] = [...adjustments, ...pageControls, 'color'];
    return all.includes(item.adjustment)
      ? undefined
      : `is for an adjustment that nothing asks for, not for one of ${all.join(', ')}: give it a name instead`;
  }
  if (!isWord(item.name)) return `has a name that no request can say: ${says}`;
  const fault = schemaFault(item.options);
  return fault && `has options that no request can be checked against: the schema ${fault}`;
}

function processorId(item: Item<'processors'>): string {
  return item.adjustment ?? String(item.name);
}

/** The contributions by kind and name. */
export function contributed(contributions: Contributions): Contribution[] {
  const all: Contribution[] = [];
  visitAll(contributions, (_name, item, { kind, id }) => void all.push({ kind, id: id(item) }));
  return all;
}

export interface Admitted {
  /** Those that are used; the rest of the plugin is as it was. */
  readonly contributions: Contributions;
  /** Those that are not. */
  readonly left: Lists;
  readonly unused: readonly UnusedContribution[];
  /** What the used ones own from now on, in lower case. */
  readonly words: readonly string[];
}

/**
 * @param plugin.use its entry, for sentences
 * @param owners the entry of the plugin that has each word in lower case
 */
export function admit(
  plugin: { readonly use: string; readonly name: string },
  contributions: Contributions,
  owners: ReadonlyMap<string, string>,
): Admitted {
  const used: Record<string, unknown[]> = {};
  const left: Record<string, unknown[]> = {};
  const unused: UnusedContribution[] = [];
  const own = new Set<string>();
  const start = `The plugin "${plugin.use}" adds`;
  visitAll(contributions, (name, item, { kind, id, words, uncallable }) => {
    const uncalled = uncallable?.(item);
    const all = uncalled === undefined ? words(item, plugin.name) : [];
    const why = faultOf(uncalled);
    (why ? (left[name] ??= []) : (used[name] ??= [])).push(item);
    if (why) unused.push({ kind, id: id(item), ...why });
    else for (const word of all) own.add(keyOf(word));

    function faultOf(fault: string | undefined): { fault: LoadFault; sentence: string } | undefined {
      if (fault !== undefined)
        return {
          fault: 'uncallable',
          sentence: `${start} the ${kind} "${id(item)}", which ${fault}. It is not used; ask the plugin's vendor.`,
        };
      const taken = all.find(word => own.has(keyOf(word)) || owners.has(keyOf(word)));
      if (taken === undefined) return undefined;
      const owner = owners.get(keyOf(taken));
      return {
        fault: 'clash',
        sentence:
          owner === undefined
            ? `${start} ${taken} twice. The second one is not used; ask the plugin's vendor.`
            : `${start} ${taken}, which "${owner}" already adds. It is not used: disable one of the two plugins in the configuration, or change their order.`,
      };
    }
  });
  const lists = Object.fromEntries(
    Object.keys(rules)
      .filter(name => contributions[name as keyof Lists])
      .map(name => [name, used[name] ?? []]),
  );
  return { contributions: { ...contributions, ...lists }, left: left as Lists, unused, words: [...own] };
}

const keyOf = (word: string): string => word.toLowerCase();

function visitAll(
  contributions: Contributions,
  visit: (name: keyof Lists, item: never, rule: Rules<unknown>) => void,
): void {
  for (const name of Object.keys(rules) as (keyof Lists)[])
    for (const item of contributions[name] ?? []) visit(name, item as never, rules[name] as unknown as Rules<unknown>);
}
