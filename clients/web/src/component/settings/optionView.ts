/** Controls for options that only a driver or a plugin has: by their type, with the words of whoever made them. */
import type { TemplateResult } from 'lit-html';
import { choice, numberField, switchControl, textField } from '../pieces/controls.js';
import type { Words } from '../words/words.js';
import { valueOf, type DescribedOption, type OptionValue } from './options.js';

export interface OptionControl {
  readonly id: string;
  readonly option: DescribedOption;
  /** Undefined: its default, which is not known of every option. */
  readonly wish: OptionValue | undefined;
  onChange(value: OptionValue | undefined): void;
}

export function optionControl({ id, option, wish, onChange }: OptionControl, words: Words): TemplateResult {
  const { name, title: label = name, description: hint, type, minimum, maximum, step } = option;
  const value = valueOf(option, wish);
  const usual = valueOf(option, undefined);
  const isUnset = usual === undefined;
  const values = option.values ?? (type === 'boolean' && isUnset ? [true, false] : undefined);
  if (values) {
    const offers = isUnset ? [undefined, ...values] : values;
    const choices = offers.map(each => ({ value: each, text: optionWord(words, each) }));
    return choice(choices, { id, label, value, hint, onChange });
  }
  if (type === 'boolean') return switchControl({ id, label, value: value === true, hint, onChange });
  if (type === 'string') {
    const empty = isUnset ? undefined : String(usual);
    return textField({ id, label, value: value === undefined ? undefined : String(value), hint, onChange }, empty);
  }
  const numberIn = (given: OptionValue | undefined): number | undefined =>
    typeof given === 'number' ? given : undefined;
  return numberField({
    id,
    label,
    value: numberIn(value),
    empty: numberIn(usual),
    hint: rangeHint(words, option),
    minimum,
    maximum,
    // A device takes the nearest value, and not every step is exact in decimals.
    step: type === 'integer' && (step ?? 1) === 1 ? 1 : 'any',
    onChange,
  });
}

function optionWord(words: Words, value: OptionValue | undefined): string {
  if (value === undefined) return words('settings.option.unset');
  return typeof value === 'boolean' ? words(`settings.option.${value}`) : String(value);
}

/** `0 to 100 %. Of the lamp` */
function rangeHint(words: Words, { minimum, maximum, unit, description }: DescribedOption): string | undefined {
  const unitWord = unit && words(`settings.unit.${unit}`);
  const range =
    minimum === undefined || maximum === undefined
      ? unitWord
      : unitWord === undefined
        ? words('settings.option.range', { minimum, maximum })
        : words('settings.option.range.unit', { minimum, maximum, unit: unitWord });
  return range && description ? words('settings.option.described', { range, description }) : (range ?? description);
}
