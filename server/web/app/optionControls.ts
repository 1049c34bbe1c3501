/** Controls for options that only a driver or a plugin has: by their type, with the words of whoever made them. */
import type { DriverOption } from '../client.js';
import { choiceOf, numberOf, switchOf, textOf, type Control } from './controls.js';

export type OptionValue = string | number | boolean;
export type DescribedOption = Omit<DriverOption, 'controls'>;

const units: Readonly<Record<NonNullable<DriverOption['unit']>, string>> = {
  mm: 'mm',
  dpi: 'dpi',
  percent: '%',
  pixel: 'pixels',
  bit: 'bits',
  microsecond: 'µs',
};

/** The value of an option without a default that is not set. */
const UNSET = 'As it is';

/** @param start undefined: the option's default, which is not known of every option */
export function optionControl(
  option: DescribedOption,
  start: OptionValue | undefined,
  onChange: () => void,
): Control<OptionValue | undefined> {
  const { name, title = name, description, type, values, minimum, maximum, step } = option;
  const shown = start ?? option.default;
  if (values) return choiceAmong(title, values, shown, onChange, description);
  if (type === 'boolean')
    return shown === undefined
      ? choiceAmong(title, [true, false], shown, onChange, description)
      : switchOf(title, shown === true, onChange, undefined, description);
  if (type === 'string') return textOf(title, shown === undefined ? undefined : String(shown), onChange, description);
  return numberOf(
    title,
    numberIn(option.default),
    // A device takes the nearest value, and not every step is exact in decimals.
    { minimum, maximum, step: type === 'integer' && (step ?? 1) === 1 ? 1 : 'any' },
    onChange,
    [rangeWord(option), description].filter(Boolean).join('. ') || undefined,
    numberIn(shown),
  );
}

const numberIn = (value: OptionValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

function choiceAmong(
  title: string,
  values: readonly OptionValue[],
  start: OptionValue | undefined,
  onChange: () => void,
  hint: string | undefined,
): Control<OptionValue | undefined> {
  const isKnown = start !== undefined && values.includes(start);
  const offered = isKnown ? [...values] : [undefined, ...values];
  const control = choiceOf(
    title,
    offered.map((value, at) => ({ value: at, text: wordOf(value) })),
    isKnown ? offered.indexOf(start) : 0,
    onChange,
    hint === undefined ? undefined : () => hint,
  );
  return {
    node: control.node,
    get value() {
      return offered[control.value];
    },
  };
}

function wordOf(value: OptionValue | undefined): string {
  if (value === undefined) return UNSET;
  return typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value);
}

/** `0 to 100 %` */
function rangeWord({ minimum, maximum, unit }: DescribedOption): string {
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
  return [range, unit && units[unit]].filter(Boolean).join(' ');
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
