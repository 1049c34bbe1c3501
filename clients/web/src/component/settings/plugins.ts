/** What plugins add under names of their own: recognisers and processors with their options, and which reader reads. */
import type { CapabilityDetails, ScanParameters } from '../../client/shapes.js';
import { optionsOfSchema, setOptions, type DescribedOption, type Options } from './options.js';
import type { PluginWishes } from './settingValues.js';

export type PluginField = 'recognise' | 'process';
type Details = Pick<CapabilityDetails, 'recognisers' | 'processors'>;

/** A recogniser or processor that a scan may have. */
export interface Offer {
  readonly field: PluginField;
  readonly name: string;
  readonly options: readonly DescribedOption[];
}

/** Several recognisers of a kind, one of which reads. */
export interface Readers {
  readonly kind: string;
  readonly names: readonly string[];
  /** Without a choice, the first. */
  readonly chosen: string;
}

/** The switches and choices as the person set them; those that are off keep their options. */
export interface PluginState {
  readonly switches: Readonly<Record<PluginField, Readonly<Record<string, PluginSwitch>>>>;
  readonly readers: Readonly<Record<string, string>>;
}

export interface PluginSwitch {
  readonly isOn: boolean;
  readonly options: Options;
}

const off: PluginSwitch = { isOn: false, options: {} };

export function stateOf({ recognise = {}, process = {}, readers = {} }: PluginWishes): PluginState {
  const on = (wishes: NonNullable<ScanParameters['process']>): Readonly<Record<string, PluginSwitch>> =>
    Object.fromEntries(
      Object.entries(wishes).map(([name, options]) => [name, { isOn: true, options } as PluginSwitch]),
    );
  return { switches: { recognise: on(recognise), process: on(process) }, readers };
}

export const switchIn = ({ switches }: PluginState, { field, name }: Offer): PluginSwitch =>
  switches[field][name] ?? off;

export function withSwitch(state: PluginState, offer: Offer, change: Partial<PluginSwitch>): PluginState {
  const { field, name } = offer;
  const changed = { ...state.switches[field], [name]: { ...switchIn(state, offer), ...change } };
  return { ...state, switches: { ...state.switches, [field]: changed } };
}

/** The options of a kind are those of the recogniser that reads it. */
export function pluginOffers({ recognisers, processors }: Details, { readers }: PluginState): readonly Offer[] {
  const wished = recognisers.filter(({ wishes }) => wishes !== undefined);
  const kinds = [...new Set(wished.map(({ kind }) => kind))].map(name => {
    const ofKind = wished.filter(({ kind }) => kind === name);
    const reader = ofKind.find(each => each.name === readers[name]) ?? ofKind[0];
    return { field: 'recognise' as const, name, options: optionsOfSchema(reader?.wishes) };
  });
  const others = processors.map(({ name, options }) => ({
    field: 'process' as const,
    name,
    options: optionsOfSchema(options),
  }));
  return [...kinds, ...others];
}

/** One for each kind that several recognisers read. */
export function readersOf({ recognisers }: Details, { readers }: PluginState): readonly Readers[] {
  const kinds = [...new Set(recognisers.map(({ kind }) => kind))];
  return kinds.flatMap(kind => {
    const names = recognisers.filter(each => each.kind === kind).map(({ name }) => name);
    const [first = '', ...others] = names;
    if (others.length === 0) return [];
    return [{ kind, names, chosen: names.find(name => name === readers[kind]) ?? first }];
  });
}

/** What is switched on, each with the options that are not its defaults; and the readers that were chosen. */
export function wishesOf(details: Details, state: PluginState): PluginWishes {
  const on = pluginOffers(details, state).filter(offer => switchIn(state, offer).isOn);
  const wishesFor = (field: PluginField): PluginWishes => {
    const chosen = on.filter(each => each.field === field);
    const entries = chosen.map(offer => [offer.name, setOptions(offer.options, switchIn(state, offer).options)]);
    return entries.length === 0 ? {} : { [field]: Object.fromEntries(entries) };
  };
  const others = readersOf(details, state).filter(({ names, chosen }) => chosen !== names[0]);
  const readers = Object.fromEntries(others.map(({ kind, chosen }) => [kind, chosen]));
  return { ...wishesFor('process'), ...wishesFor('recognise'), ...(others.length > 0 && { readers }) };
}
