/** What plugins add under names of their own: recognisers and processors with their options, and which reader reads. */
import type { CapabilityDetails, ScanParameters } from '../client.js';
import { choiceOf, switchOf, type Control } from './controls.js';
import { element, fill } from './element.js';
import { recall, remember } from './memory.js';
import { optionControl, optionsOfSchema, type OptionValue } from './optionControls.js';
import { changesIn } from './settingValues.js';

export type PluginWishes = Pick<ScanParameters, 'recognise' | 'process' | 'readers'>;
type Details = Pick<CapabilityDetails, 'recognisers' | 'processors'>;
type Options = Record<string, OptionValue>;

export interface PluginSwitches {
  readonly nodes: readonly HTMLElement[];
  /** What is switched on, each with the options that are not its defaults; and the readers that were chosen. */
  readonly wishes: PluginWishes;
}

type Field = 'recognise' | 'process';

/** A recogniser or processor that a scan may have. */
interface Offer {
  readonly field: Field;
  readonly name: string;
  readonly schema: unknown;
}

/** Of kinds that an installation has anyway. */
const labels: Readonly<Record<string, string>> = { patch: 'Read patch codes' };
const readerLabels: Readonly<Record<string, string>> = {
  barcode: 'Barcode reader',
  ocr: 'Text reader',
  blank: 'Finder of blank pages',
  patch: 'Patch code reader',
};

/** What a person's last visit had switched on; older versions stored the names only. */
export function recalledWishes(): PluginWishes {
  const stored = recall('plugins');
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};
}

export const rememberWishes = (wishes: PluginWishes): void => remember('plugins', wishes);

export function createPluginSwitches(details: Details, start: PluginWishes, onChange: () => void): PluginSwitches {
  // The options of a kind are those of the recogniser that reads it.
  const readers = readersOf(details, start, () => {
    draw(wishes());
    onChange();
  });
  const place = element('div', { class: 'group' });
  let switches: readonly ReturnType<typeof switchFor>[] = [];
  function draw(before: PluginWishes): void {
    switches = offersOf(details, before.readers).map(offer => switchFor(offer, before, onChange));
    fill(place, ...switches.map(({ nodes }) => nodes));
  }
  const on = (field: Field): PluginWishes => {
    const chosen = switches.filter(each => each.field === field && each.isOn());
    return chosen.length === 0 ? {} : { [field]: Object.fromEntries(chosen.map(each => [each.name, each.options()])) };
  };
  function wishes(): PluginWishes {
    const others = readers.filter(({ control, first }) => control.value !== first);
    const chosen = Object.fromEntries(others.map(({ kind, control }) => [kind, control.value]));
    return { ...on('process'), ...on('recognise'), ...(others.length > 0 && { readers: chosen }) };
  }
  draw(start);
  return {
    nodes: [...readers.map(({ control }) => control.node), ...(switches.length > 0 ? [place] : [])],
    get wishes() {
      return wishes();
    },
  };
}

/** A choice for each kind that several recognisers read. */
function readersOf({ recognisers }: Details, { readers = {} }: PluginWishes, onChange: () => void) {
  const kinds = [...new Set(recognisers.map(({ kind }) => kind))];
  return kinds.flatMap(kind => {
    const names = recognisers.filter(each => each.kind === kind).map(({ name }) => name);
    const [first = '', ...others] = names;
    if (others.length === 0) return [];
    const chosen = readers[kind] ?? first;
    const options = names.map(value => ({ value, text: value }));
    const start = names.includes(chosen) ? chosen : first;
    return [{ kind, first, control: choiceOf(readerLabels[kind] ?? `Reader of ${kind}`, options, start, onChange) }];
  });
}

function offersOf({ recognisers, processors }: Details, readers: PluginWishes['readers'] = {}): readonly Offer[] {
  const wished = recognisers.filter(({ wishes }) => wishes !== undefined);
  const kinds = [...new Set(wished.map(({ kind }) => kind))].map(name => {
    const ofKind = wished.filter(({ kind }) => kind === name);
    const reader = ofKind.find(each => each.name === readers[name]) ?? ofKind[0];
    return { field: 'recognise' as const, name, schema: reader?.wishes };
  });
  return [...kinds, ...processors.map(({ name, options }) => ({ field: 'process' as const, name, schema: options }))];
}

function switchFor({ field, name, schema }: Offer, start: PluginWishes, onChange: () => void) {
  const before = start[field]?.[name] as Options | undefined;
  const options = optionsOfSchema(schema);
  const controls = options.map(option => ({
    option,
    control: optionControl(option, before?.[option.name], onChange) as Control<OptionValue | undefined>,
  }));
  const below = element('div', { class: 'controls suboptions' }, ...controls.map(({ control }) => control.node));
  const onSwitch = (): void => {
    below.hidden = !control.value;
    onChange();
  };
  const control = switchOf(labels[name] ?? name, before !== undefined, onSwitch);
  below.hidden = !control.value;
  return {
    field,
    name,
    nodes: options.length > 0 ? [control.node, below] : [control.node],
    isOn: () => control.value,
    options: (): object => {
      const set = controls.filter(each => each.control.value !== undefined);
      const values = Object.fromEntries(set.map(each => [each.option.name, each.control.value]));
      return changesIn(values, Object.fromEntries(options.map(each => [each.name, each.default])));
    },
  };
}
