/** What a request asks of the loaded recognisers and processors, by their names: checked before paper moves. */
import { InvalidValue } from '../contract/errors.js';
import type { CustomProcessor } from '../contract/processor.js';
import {
  knownKinds,
  symbologies,
  type BarcodeRecogniser,
  type CustomRecogniser,
  type PatchRecogniser,
} from '../contract/recogniser.js';
import type { LoadedReader, Recognisers, Registry } from './registry.js';
import { wishesOf } from './wishes.js';

/** Checked values by name: of a recogniser's kind, or of a processor. */
export type AskedByName = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The name of the recogniser that reads, by kind. */
export type AskedReaders = Readonly<Record<string, string>>;

/** A recogniser whose results are findings of a page. */
export type Finder = CustomRecogniser | PatchRecogniser;

type Readers = readonly LoadedReader[];

/** Of a recogniser whose plugin is not set up. */
const anyWishes = { type: 'object' } as const;

/** Why something is installed and not licensed. */
export type WhyNot = Registry['whyNot'];

/** A kind whose results have no field of their own in every answer. */
const isFinder = (recogniser: LoadedReader['recogniser']): recogniser is Finder =>
  recogniser.kind === 'patch' || !(knownKinds as readonly string[]).includes(recogniser.kind);

/** Kinds that `recognise` takes. */
export function finderKinds(readers: Readers): string[] {
  return [
    ...new Set(readers.filter(({ recogniser }) => isFinder(recogniser)).map(({ recogniser }) => recogniser.kind)),
  ];
}

/** @param name absent: the first one of the kind */
export function readerOf(
  readers: Readers,
  kind: string,
  name: string | undefined,
): LoadedReader['recogniser'] | undefined {
  return readers.find(each => each.recogniser.kind === kind && (name === undefined || each.name === name))?.recogniser;
}

/**
 * The software with the recognisers that a request asks for in place of the first of each kind.
 * @throws `InvalidValue` if one is not loaded any more
 */
export function withReaders<Software extends Partial<Recognisers> & { readonly readers?: Readers }>(
  software: Software,
  asked: AskedReaders | undefined,
): Software {
  if (!asked) return software;
  const { readers = [] } = software;
  const chosen = readersAsked(asked, readers);
  const known = knownKinds.filter(kind => chosen[kind] !== undefined);
  const replaced = Object.fromEntries(known.map(kind => [kind, readerOf(readers, kind, chosen[kind])]));
  return { ...software, ...replaced };
}

/** @returns the names as they are loaded. @throws `InvalidValue` */
export function readersAsked(asked: unknown, readers: Readers): AskedReaders {
  return byName('readers', asked, (kind, value) => {
    const names = readers.filter(each => each.recogniser.kind === kind).map(({ name }) => name);
    const found = names.find(name => typeof value === 'string' && name.toLowerCase() === value.toLowerCase());
    if (found !== undefined) return found;
    const accepts = names.length > 0 ? `one of ${names.join(', ')}` : `nothing: no recogniser of that kind is loaded`;
    throw new InvalidValue(`readers.${kind}`, accepts, names);
  });
}

/**
 * @returns the wishes with their schemas' defaults; those for a recogniser that is not licensed as they are, because
 * only the plugin has their schema. @throws `InvalidValue`
 */
export function recogniseAsked(
  asked: unknown,
  readers: Readers,
  chosen: AskedReaders = {},
  whyNot: WhyNot = () => undefined,
): AskedByName {
  return byName('recognise', asked, (kind, wishes) => {
    const recogniser = readerOf(readers, kind, chosen[kind]);
    if (!recogniser && whyNot('recogniser', kind) !== undefined)
      return wishesOf(`recognise.${kind}`, anyWishes, wishes);
    if (!recogniser || !isFinder(recogniser)) {
      const why = recogniser && `${kind} has parameters of its own`;
      throw notLoaded('recognise', kind, finderKinds(readers), why);
    }
    return wishesOf(`recognise.${kind}`, recogniser.wishes, wishes);
  });
}

/**
 * @returns the options with their schemas' defaults; those for a processor that is not licensed as they are
 * @throws `InvalidValue`
 */
export function processAsked(asked: unknown, processors: Registry['processors'], whyNot?: WhyNot): AskedByName {
  const named = customProcessors(processors);
  return byName('process', asked, (name, options) => {
    const processor = named.find(each => each.name === name);
    if (!processor && whyNot?.('processor', name) !== undefined) return wishesOf(`process.${name}`, anyWishes, options);
    if (!processor) {
      const names = named.map(each => each.name);
      throw notLoaded('process', name, names);
    }
    return wishesOf(`process.${name}`, processor.options, options);
  });
}

/** Those with a name of their own, in configuration order. */
export function customProcessors(processors: Registry['processors']): CustomProcessor[] {
  return processors.filter((each): each is CustomProcessor => each.adjustment === undefined);
}

/** Names of symbologies that `barcodeFormats` takes: the interface's, and the reader's own. */
export function symbologyNames(reader: Pick<BarcodeRecogniser, 'symbologies'> | undefined): string[] {
  return [...new Set([...Object.keys(symbologies), ...Object.keys(reader?.symbologies ?? {})])];
}

/** @returns the names in their reader's spelling. @throws `InvalidValue` of the list's element */
export function symbologiesAsked(asked: readonly unknown[], readers: Readers, chosen: AskedReaders = {}): string[] {
  const reader = readerOf(readers, 'barcode', chosen['barcode']) as BarcodeRecogniser | undefined;
  const names = symbologyNames(reader);
  return asked.map((each, at) => {
    const found = names.find(name => typeof each === 'string' && name.toLowerCase() === each.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidValue(`barcodeFormats[${at}]`, `one of ${names.join(', ')}`, names);
  });
}

export interface AskedFinder {
  readonly recogniser: Finder;
  readonly wishes: Readonly<Record<string, unknown>>;
}

/**
 * Those that are loaded.
 * @param asked checked before
 * @param skip called with the kind of each that is not licensed, and why
 * @throws `InvalidValue` for a recogniser that is not loaded any more
 */
export function findersOf(
  asked: AskedByName = {},
  software: Partial<Recognisers> & { readonly readers?: Readers; readonly whyNot?: WhyNot },
  chosen: AskedReaders = {},
  skip: (kind: string, why: string) => void = () => undefined,
): AskedFinder[] {
  const { readers = [], whyNot } = software;
  return Object.entries(recogniseAsked(asked, readers, chosen, whyNot)).flatMap(([kind, wishes]) => {
    const recogniser = readerOf(readers, kind, chosen[kind]) as Finder | undefined;
    if (recogniser) return [{ recogniser, wishes }];
    skip(kind, whyNot?.('recogniser', kind) ?? '');
    return [];
  });
}

export interface AskedProcessor {
  readonly processor: CustomProcessor;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * In configuration order.
 * @param asked checked before
 * @param skip called with the name of each that is not licensed, and why
 * @throws `InvalidValue` for one that is not loaded any more
 */
export function processorsOf(
  asked: AskedByName = {},
  { processors, whyNot }: Pick<Registry, 'processors'> & { readonly whyNot?: WhyNot },
  skip: (name: string, why: string) => void = () => undefined,
): AskedProcessor[] {
  const checked = processAsked(asked, processors, whyNot);
  const loaded = customProcessors(processors).map(({ name }) => name);
  for (const name of Object.keys(checked)) if (!loaded.includes(name)) skip(name, whyNot?.('processor', name) ?? '');
  return customProcessors(processors).flatMap(processor => {
    const options = Object.hasOwn(checked, processor.name) ? checked[processor.name] : undefined;
    return options ? [{ processor, options }] : [];
  });
}

function byName<Value>(
  field: string,
  asked: unknown,
  read: (name: string, value: unknown) => Value,
): Readonly<Record<string, Value>> {
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) throw new InvalidValue(field, 'an object');
  return Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, read(name, value)]));
}

function notLoaded(field: string, name: string, names: readonly string[], why?: string): InvalidValue {
  const shown = /^[\w@/.-]{1,50}$/.test(name) ? `: ${why ?? `${name} is not loaded`}` : '';
  return new InvalidValue(field, names.length > 0 ? `${names.join(', ')}${shown}` : `nothing${shown}`, names);
}
