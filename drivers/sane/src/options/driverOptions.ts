/** The backend's own options, as options of the driver. */
import { takesValue, type DriverOptionValues, type OptionControl } from '@platen/core/driver';
import { ScanError, type DriverOption, type ReservedOption } from '@platen/core/plugin';
import { parametersOfAdjuster } from './adjustments.js';
import { resolutionOption } from './geometry.js';
import { settable, type OptionSet } from './optionSet.js';
import type { Constraint, Descriptor, Descriptors } from '../handle.js';
import { choosesSides, feedsAhead } from './sources.js';

const page = ['pageSize', 'area'] as const;
/** The scan parameters that set the same option; those of Platen's scales have their own name. */
const parameters = new Map<string, readonly OptionControl[]>(
  Object.entries({
    mode: ['colorMode'],
    depth: ['colorMode'],
    resolution: ['resolution'],
    'x-resolution': ['resolution'],
    'page-width': page,
    'page-height': page,
    'tl-x': page,
    'tl-y': page,
    'br-x': page,
    'br-y': page,
    brightness: ['brightness'],
    contrast: ['contrast'],
    threshold: ['threshold'],
  }),
);

/** Set by Platen for every scan: with another value, the facts of a page would be wrong. */
const own = new Map<string, readonly OptionControl[]>(
  Object.entries({
    source: ['source', 'duplexMode'],
    'resolution-bind': ['resolution'],
    'x-resolution': ['resolution'],
    'y-resolution': ['resolution'],
  }),
);

const types = { bool: 'boolean', int: 'integer', fixed: 'number', string: 'string' } as const;

/**
 * The options that can be set and read now, advanced ones too. Without buttons, groups and arrays, and without those that
 * Platen sets itself for every scan.
 * @param known names that need not be read
 */
export async function listOptions(options: OptionSet, known: ReadonlyMap<string, unknown>): Promise<DriverOption[]> {
  const { descriptors } = options;
  const found: DriverOption[] = [];
  for (const { name } of descriptors) {
    const option = settable(descriptors, name);
    if (!option?.readable || name === '' || isOwn(descriptors, option)) continue;
    if (known.has(name) || found.some(each => each.name === name)) continue;
    const described = describe(option);
    if (described) found.push(withDefault(described, await options.get(name)));
  }
  return found;
}

function isOwn(descriptors: Descriptors, option: Descriptor): boolean {
  const { name } = option;
  if (option === resolutionOption(descriptors)) return false;
  return own.has(name) || feedsAhead(name) || parametersOf(name).length > 0;
}

/** The scan parameters that set an option of Platen's own. */
function parametersOf(name: string): readonly OptionControl[] {
  return own.get(name) ?? (choosesSides(name) ? ['duplexMode'] : parametersOfAdjuster(name));
}

/** Those of the device that scan parameters set, and nothing else. */
export function reservedOptions(
  descriptors: Descriptors,
  listed: ReadonlyMap<string, unknown>,
): readonly ReservedOption[] {
  return descriptors.flatMap(({ name }) => {
    const controls = listed.has(name) ? [] : parametersOf(name);
    return controls.length > 0 ? [{ name, controls }] : [];
  });
}

/** Undefined for a button, a group, and a list without a word. */
function describe({
  name,
  title,
  description,
  type,
  unit,
  constraint,
  advanced,
}: Descriptor): DriverOption | undefined {
  const range = rangeOf(constraint);
  if (type === 'button' || type === 'group' || range?.values?.length === 0) return undefined;
  const controls = parameters.get(name);
  return {
    name,
    ...(title && { title }),
    ...(description && { description }),
    type: types[type],
    ...(unit !== 'none' && { unit }),
    ...range,
    ...(controls && { controls }),
    ...(advanced && { advanced }),
  };
}

function rangeOf(constraint: Constraint): Pick<DriverOption, 'minimum' | 'maximum' | 'step' | 'values'> | undefined {
  if (!constraint) return undefined;
  if ('strings' in constraint) return { values: constraint.strings };
  if ('words' in constraint) return { values: constraint.words };
  const { min, max, quant } = constraint;
  return { minimum: min, maximum: max, ...(quant > 0 && { step: quant }) };
}

/** Some backends start with a value that they do not take. */
function withDefault(option: DriverOption, value: unknown): DriverOption {
  return takesValue(option, value) ? { ...option, default: value } : option;
}

/**
 * Sets options of an order for one scan, in the order of the list.
 * @throws ScanError `unsupported`, with the option's name, if the backend rejects the value, or the option has no effect
 *   with the other settings and another value than its default is asked for
 */
export async function takeDriverOptions(
  options: OptionSet,
  listed: readonly DriverOption[],
  values: DriverOptionValues,
): Promise<void> {
  for (const { name, default: usual } of listed) {
    const value = values[name];
    if (value === undefined || (await options.setForScan({ name, value }))) continue;
    if (settable(options.descriptors, name))
      throw new ScanError('unsupported', `The scanner does not accept ${String(value)} for its option ${name}.`);
    if (value !== usual)
      throw new ScanError('unsupported', `The scanner's option ${name} is not available with the other settings.`);
  }
}
