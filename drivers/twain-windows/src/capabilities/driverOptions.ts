/** A source's own settings: the optional capabilities of TWAIN and the vendor's, as the source describes them. */
import { takesValue } from '@platen/core/driver';
import { ScanError } from '@platen/core/plugin';
import type { DriverOptionValue, DriverOptionValues } from '@platen/core/driver';
import type { DriverOption } from '@platen/core/plugin';
import type { CapabilityNegotiation } from './capabilityNegotiation.js';
import { MSG } from '../protocol/constants.js';
import type { Container } from '../protocol/containers.js';
import { TY, type Item } from '../protocol/itemTypes.js';
import { CUSTOM, numbered, standardOptions } from './standardOptions.js';
import type { TemporarySettings } from './temporarySettings.js';

/** Some production scanners list about 200. */
const MOST_OPTIONS = 500;
const MOST_VALUES = 1000;
const MOST_TEXT = 250;

const types: Readonly<Record<number, DriverOption['type']>> = {
  [TY.BOOL]: 'boolean',
  [TY.FIX32]: 'number',
  ...Object.fromEntries([TY.INT8, TY.INT16, TY.INT32, TY.UINT8, TY.UINT16, TY.UINT32].map(type => [type, 'integer'])),
  ...Object.fromEntries(
    [TY.STR32, TY.STR64, TY.STR128, TY.STR255, TY.STR1024, TY.UNI512].map(type => [type, 'string']),
  ),
};

/** `ICAP_GAMMA`, or a vendor's number as `0x8001`. */
function nameOf(code: number): string | undefined {
  if (code >= CUSTOM) return numbered(code);
  return Object.entries(standardOptions).find(([, each]) => each.code === code)?.[0];
}

function codeOf(name: string): number {
  return standardOptions[name]?.code ?? Number(name);
}

/** Of those that the source lists and describes; empty if it lists nothing. */
export async function driverOptionsOf(negotiation: CapabilityNegotiation): Promise<readonly DriverOption[]> {
  const found: DriverOption[] = [];
  for (const code of new Set(negotiation.listed())) {
    const name = nameOf(code);
    if (name === undefined || found.length === MOST_OPTIONS || !(await negotiation.maySet(code))) continue;
    const container = await negotiation.get(code);
    const described = container && describe(name, container);
    if (!described) continue;
    const preset = await negotiation.default(code);
    const value = preset === undefined ? undefined : valueOf(preset);
    const title = await negotiation.text(code, MSG.GETLABEL);
    const description = await negotiation.text(code, MSG.GETHELP);
    found.push({
      ...described,
      ...(title !== undefined && { title: title.slice(0, MOST_TEXT) }),
      ...(description !== undefined && { description }),
      ...(value !== undefined && takesValue(described, value) && { default: value }),
    });
  }
  return found;
}

/** Undefined for values that have no form in an option, and for descriptions that contradict themselves. */
function describe(name: string, container: Container): DriverOption | undefined {
  const type = types[container.type];
  if (!type || container.kind === 'array') return undefined;
  const { unit, controls } = standardOptions[name] ?? {};
  const option = { name, type, ...(unit && { unit }), ...(controls && { controls }) };
  if (container.kind === 'one') return option;
  if (container.kind === 'list') {
    const values = [...new Set(container.items.map(valueOf))];
    if (values.length === 0 || values.length > MOST_VALUES) return undefined;
    return type === 'boolean' && values.length === 2 ? option : { ...option, values: values as DriverOptionValue[] };
  }
  const { min, max, step } = container;
  if ((type !== 'integer' && type !== 'number') || min > max) return undefined;
  return {
    ...option,
    minimum: valueOf(min) as number,
    maximum: valueOf(max) as number,
    ...(step > 0 && { step: valueOf(step) as number }),
  };
}

/** Fixed-point numbers without their rounding: 2.2 arrives as 2.20000458. */
function valueOf(item: Item): DriverOptionValue {
  if (typeof item === 'number') return Math.round(item * 10_000) / 10_000;
  return typeof item === 'object' ? '' : item;
}

/**
 * Sets those of the order, in its sequence.
 * @throws ScanError `unsupported` with the option's name if the source does not take the value
 */
export async function takeDriverOptions(
  negotiation: CapabilityNegotiation,
  temporary: TemporarySettings,
  listed: readonly DriverOption[],
  values: DriverOptionValues,
  name: string,
): Promise<void> {
  for (const [option, value] of Object.entries(values)) {
    const described = listed.find(each => each.name === option);
    const code = codeOf(option);
    // A negotiation skips what is in effect: a default that is set counts as set.
    if (described && (await temporary.set(code, stepped(described, value)))) continue;
    const now = valueOf((await negotiation.current(code)) ?? '');
    throw new ScanError('unsupported', `"${name}" does not accept ${option} = ${value}; it has ${now}.`);
  }
}

/** The nearest value on the steps of a range. */
function stepped({ minimum = 0, maximum = Infinity, step, values }: DriverOption, value: DriverOptionValue): Item {
  if (typeof value !== 'number' || !step || values) return value;
  return Math.min(maximum, minimum + Math.round((value - minimum) / step) * step);
}
