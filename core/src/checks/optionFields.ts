/** Reads the options that a driver lists, and the values that an order gives them. Readers throw a TypeError. */
import {
  optionControls,
  optionTypes,
  optionUnits,
  type DriverOption,
  type DriverOptionValue,
  type DriverOptionValues,
  type OptionControl,
  type ReservedOption,
} from '../contract/controls.js';
import { ScanError } from '../contract/errors.js';
import {
  fieldsOf,
  flagOf,
  labelOf,
  listOf,
  numberOf,
  optional,
  textOf,
  wordOf,
  wordsOf,
  type Fields,
} from './fields.js';

/** Most options of a source: SANE's largest backends have about 100. */
const MOST_OPTIONS = 1000;
/** Most values that one option lists. */
const MOST_VALUES = 10_000;

/** @throws TypeError if an option contradicts itself, or two have one name */
export function readDriverOptions(source: Fields, name: string): DriverOption[] {
  const options = listOf(source, name, MOST_OPTIONS).map(readOption);
  const names = new Set(options.map(each => each.name));
  if (names.size < options.length) throw new TypeError(`two of ${name} have the same name`);
  return options;
}

function readOption(value: unknown): DriverOption {
  const fields = fieldsOf(value, 'a driver option');
  const option: DriverOption = {
    name: textOf(fields, 'name', 1),
    ...optional(fields, 'title', labelOf),
    ...optional(fields, 'description', textOf),
    type: wordOf(fields, 'type', optionTypes),
    ...optional(fields, 'unit', (its, each) => wordOf(its, each, optionUnits)),
    ...optional(fields, 'minimum', numberOf),
    ...optional(fields, 'maximum', numberOf),
    ...optional(fields, 'step', (its, each) => numberOf(its, each, 0)),
    ...optional(fields, 'values', readValues),
    ...optional(fields, 'default', (its, each) => readValue(its[each], each)),
    ...optional(fields, 'controls', readControls),
    ...optional(fields, 'advanced', flagOf),
  };
  const wrong = [...(option.values ?? []), ...(option.default === undefined ? [] : [option.default])].find(
    each => !isOfType(option, each),
  );
  if (wrong !== undefined) throw new TypeError(`the driver option ${option.name} has the value ${String(wrong)}`);
  return option;
}

function readControls(fields: Fields, name: string): OptionControl[] {
  const controls = wordsOf(fields, name, optionControls);
  if (controls.length === 0) throw new TypeError(`${name} is empty`);
  return controls;
}

export function readReservedOptions(source: Fields, name: string): ReservedOption[] {
  return listOf(source, name, MOST_OPTIONS).map(value => {
    const fields = fieldsOf(value, 'a reserved option');
    return { name: textOf(fields, 'name', 1), controls: readControls(fields, 'controls') };
  });
}

function readValues(fields: Fields, name: string): DriverOptionValue[] {
  const values = listOf(fields, name, MOST_VALUES).map(each => readValue(each, name));
  if (values.length === 0) throw new TypeError(`${name} is empty`);
  return values;
}

function readValue(value: unknown, name: string): DriverOptionValue {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? numberOf({ [name]: value }, name) : textOf({ [name]: value }, name);
}

/** The values of an order: strings, numbers and booleans by name, with no more names than a source may list. */
export function readOptionValues(order: Fields, name: string): DriverOptionValues {
  const entries = Object.entries(fieldsOf(order[name], name));
  if (entries.length > MOST_OPTIONS) throw new TypeError(`${name} has more than ${MOST_OPTIONS} values`);
  return Object.fromEntries(entries.map(([each, value]) => [each, readValue(value, each)]));
}

/** Whether the option takes the value. One between two steps is taken: the driver uses the nearest. */
export function takesValue(option: DriverOption, value: unknown): value is DriverOptionValue {
  if (!isOfType(option, value)) return false;
  if (option.values) return option.values.includes(value);
  return typeof value !== 'number' || (value >= (option.minimum ?? -Infinity) && value <= (option.maximum ?? Infinity));
}

function isOfType({ type }: DriverOption, value: unknown): value is DriverOptionValue {
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** What the option takes, to follow "takes": `a number from 0.5 to 3 mm`. */
export function optionAccepts({ type, unit, values, minimum, maximum }: DriverOption): string {
  if (values) return values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'a string';
  const range = [minimum === undefined ? '' : ` from ${minimum}`, maximum === undefined ? '' : ` to ${maximum}`];
  return `${type === 'integer' ? 'an integer' : 'a number'}${range.join('')}${unit === undefined ? '' : ` ${unit}`}`;
}

/**
 * For drivers: the options of an order are listed and have values that they take (promise 10).
 * @throws ScanError `unsupported`, with the option's name
 */
export function checkDriverOptions(listed: readonly DriverOption[] = [], values: DriverOptionValues = {}): void {
  for (const [name, value] of Object.entries(values)) {
    const option = listed.find(each => each.name === name);
    if (!option) throw new ScanError('unsupported', `The scanner's driver has no option ${name}.`);
    if (!takesValue(option, value))
      throw new ScanError('unsupported', `The driver's option ${name} takes ${optionAccepts(option)}.`);
  }
}
