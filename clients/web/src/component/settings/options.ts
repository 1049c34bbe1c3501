/** Options that only a driver or a plugin has: which values they take, and the options that a JSON Schema describes. */
import type { DriverOption } from '../../client/shapes.js';
import { changesIn, within } from './settingValues.js';

export type OptionValue = string | number | boolean;
export type Options = Readonly<Record<string, OptionValue>>;
export type DescribedOption = Omit<DriverOption, 'controls'>;

/** The value of an option with this wish; undefined: not set, and its default is not known. */
export function valueOf(option: DescribedOption, wish: OptionValue | undefined): OptionValue | undefined {
  return taken(option, wish) ?? taken(option, option.default);
}

/** Undefined if the option does not take it. */
function taken({ type, values, ...limits }: DescribedOption, value: OptionValue | undefined): OptionValue | undefined {
  if (value === undefined) return undefined;
  if (values) return values.includes(value) ? value : undefined;
  if (type === 'boolean') return value === true;
  if (type === 'string') return String(value);
  return typeof value === 'number' ? within(value, rangeOf(limits)) : undefined;
}

export const rangeOf = ({ minimum = -Infinity, maximum = Infinity }: Pick<DescribedOption, 'minimum' | 'maximum'>) => ({
  minimum,
  maximum,
});

/** Those whose values are not the defaults. */
export function setOptions(options: readonly DescribedOption[], wishes: Options = {}): Options {
  const values = options.flatMap(option => {
    const value = valueOf(option, wishes[option.name]);
    return value === undefined ? [] : [[option.name, value] as const];
  });
  const usual = options.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value] as const]));
  return changesIn<Options>(Object.fromEntries(values), Object.fromEntries(usual)) as Options;
}

/** Without an option whose value is undefined. */
export function withOption(options: Options = {}, name: string, value: OptionValue | undefined): Options {
  const { [name]: _, ...others } = options;
  return value === undefined ? others : { ...others, [name]: value };
}

/** The properties of a JSON Schema that one control can set; others keep the plugin's defaults. */
export function optionsOfSchema(schema: unknown): readonly DescribedOption[] {
  const { properties } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, SchemaProperty>> };
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const { title, description, minimum, maximum, multipleOf: step, default: usual } = property;
    const values = property.enum?.filter(isScalar);
    const type = typeOf(property, values);
    if (!type || (values && values.length !== property.enum?.length)) return [];
    const known = isScalar(usual) ? { default: usual } : {};
    const words = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
    const limits = {
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
      ...(step !== undefined && { step }),
    };
    return [{ name, type, ...words, ...limits, ...known, ...(values && { values }) }];
  });
}

interface SchemaProperty {
  readonly title?: string;
  readonly description?: string;
  readonly type?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

const isScalar = (value: unknown): value is OptionValue => ['string', 'number', 'boolean'].includes(typeof value);

const simple: readonly unknown[] = ['boolean', 'integer', 'number', 'string'] satisfies DriverOption['type'][];

function typeOf(
  { type }: SchemaProperty,
  values: readonly OptionValue[] | undefined,
): DriverOption['type'] | undefined {
  if (simple.includes(type)) return type as DriverOption['type'];
  return type === undefined && values ? 'string' : undefined;
}
