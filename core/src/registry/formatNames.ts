/** The names by which clients ask for the loaded image formats. */
import { InvalidValue } from '../contract/errors.js';
import { formatNames, type Format } from '../contract/format.js';
import type { Registry } from './registry.js';

type Named = Pick<Format, 'name' | 'aliases'>;

const interfaceNames: readonly string[] = formatNames;

/**
 * What `imageFormat` takes: names, and aliases of formats that are not the interface's. Those of the interface belong
 * to `outputFormat` ("Parameter names by endpoint").
 */
export function imageFormatNames(formats: readonly Named[]): string[] {
  return unique(formats.flatMap(({ name, aliases }) => (interfaceNames.includes(name) ? [name] : [name, ...aliases])));
}

/** What `outputFormat` takes, and the endings of files: names and aliases, in lower case. */
export function outputFormatNames(formats: readonly Named[]): string[] {
  return unique(formats.flatMap(({ name, aliases }) => [name.toLowerCase(), ...aliases]));
}

/**
 * @returns its name; one that is installed and not licensed passes, and the scan says so
 * @throws `InvalidValue` of the field with the loaded names
 */
export function formatAsked<Each extends Named>(
  field: 'imageFormat' | 'outputFormat',
  asked: unknown,
  formats: readonly Each[],
  whyNot?: Registry['whyNot'],
): string {
  const namesOf = field === 'imageFormat' ? imageFormatNames : outputFormatNames;
  const format =
    typeof asked === 'string' &&
    formats.find(each => namesOf([each]).some(name => name.toLowerCase() === asked.toLowerCase()));
  if (format) return format.name;
  const names = field === 'imageFormat' ? formats.map(({ name }) => name) : outputFormatNames(formats);
  const known = typeof asked === 'string' && /^\w{1,20}$/.test(asked);
  if (known && whyNot?.('format', asked) !== undefined) return asked;
  const hint = known ? `: ${hintOn(asked, formats)}` : '';
  throw new InvalidValue(field, `one of ${names.join(', ')}${hint}`, names);
}

function hintOn(asked: string, formats: readonly Named[]): string {
  const meant = formats.find(each => outputFormatNames([each]).includes(asked.toLowerCase()));
  return meant ? `for ${asked}, send ${meant.name}` : `${asked} is not installed`;
}

/** The first of names that mean the same in another letter case. */
function unique(names: readonly string[]): string[] {
  return names.filter((name, at) => names.findIndex(each => each.toLowerCase() === name.toLowerCase()) === at);
}
