/** The parameters of a scan, from the settings that are shown. */
import type { Capabilities, ControlParameters, StartParameters } from '../../client/shapes.js';
import { detailsIn } from './offers.js';
import { wishesOf, type PluginState } from './plugins.js';
import { changesIn, type PluginWishes, type Values } from './settingValues.js';
import { changesFor, sourceOf } from './sourceDetails.js';

/** Parameters that the service's configuration has under names. */
export type Profiles = Readonly<Record<string, StartParameters>>;

/** A scanner whose capabilities are known. */
export interface Known {
  readonly scanner: string;
  readonly can: Capabilities;
  readonly profiles: Profiles;
}

/** The settings of one scanner. */
export interface Shown {
  readonly can: Capabilities;
  /** Empty without a profile. */
  readonly profileName: string;
  /** Its parameters; empty without one. */
  readonly profile: StartParameters;
  /** Also those that are not offered now. */
  readonly wanted: Values;
  /** Of these, or the nearest: always values that are offered. */
  readonly values: Values;
  /** What depends on the source; as the profile has it, until the person changes it. */
  readonly wishes: ControlParameters;
  readonly plugins: PluginState;
  /** The values before the person changed any. */
  readonly began: { readonly values: Values; readonly plugins: PluginWishes };
}

/** Parameters with a part for each plugin, driver's option or kind. */
const inParts = ['recognise', 'process', 'readers', 'driverOptions'] as const;

/** Whether the embedder sets it, or something that it would replace. */
export const isFixed = (fixed: StartParameters, name: keyof StartParameters): boolean =>
  fixed[name] !== undefined ||
  (name === 'area' && fixed.pageSize !== undefined) ||
  (name === 'pageSize' && fixed.area !== undefined);

/** Whether the embedder sets this part of it. */
export const isPartFixed = (fixed: StartParameters, name: (typeof inParts)[number], part: string): boolean =>
  Object.hasOwn(fixed[name] ?? {}, part);

/**
 * The image formats to choose from, and the one of them that a scan gets. A lossy one makes a black-and-white page
 * grey, blurred and larger: it is offered only if a profile has it.
 */
export function formatsFor(
  { can, profileName, values }: Pick<Shown, 'can' | 'profileName' | 'values'>,
  fixed: StartParameters,
): { readonly offered: readonly Values['imageFormat'][]; readonly chosen: Values['imageFormat'] } {
  const { imageFormat } = values;
  const { formats } = detailsIn(can);
  const isLossless = profileName === '' && (fixed.colorMode ?? values.colorMode) === 'BlackAndWhite';
  const offered = formats.filter(({ lossless }) => lossless || !isLossless).map(({ name }) => name);
  const [chosen = imageFormat] = [imageFormat, 'Png', ...offered].filter(name => offered.includes(name));
  return { offered, chosen };
}

/** What is wished, with what is fixed. */
export function wished({ wishes }: Pick<Shown, 'wishes'>, fixed: StartParameters): ControlParameters {
  const { source = wishes.source, area = fixed.pageSize ? undefined : wishes.area } = fixed;
  const { source: _, area: __, ...others } = wishes;
  return { ...others, ...(source && { source }), ...(area && { area }) };
}

/** Without a profile, all values; with one, those that the person changed. What is fixed, always. */
export function parametersOf(shown: Shown, fixed: StartParameters): StartParameters {
  const { can, profileName, profile, values, began } = shown;
  const details = detailsIn(can);
  const wishes = wished(shown, fixed);
  const colorMode = fixed.colorMode ?? values.colorMode;
  const changes = changesFor(details.sources, wishes, profile, colorMode === 'BlackAndWhite');
  const plugins = wishesOf(details, shown.plugins);
  if (profileName === '') {
    const sides = sourceOf(details.sources, wishes) === 'Flatbed' ? { duplexMode: 'Simplex' as const } : {};
    const imageFormat = formatsFor(shown, fixed).chosen;
    return withFixed({ ...values, imageFormat, ...sides, ...changes, ...plugins }, fixed);
  }
  const none: PluginWishes = { process: {}, recognise: {}, readers: {} };
  const fields = changesIn({ ...none, ...plugins }, { ...none, ...began.plugins });
  // The request's page size goes before the profile's area.
  const whole = profile.area && !wishes.area ? { pageSize: values.pageSize } : {};
  const changed = { ...changesIn(values, began.values), ...whole, ...changes, ...fields };
  return withFixed({ profile: profileName, ...changed }, fixed);
}

function withFixed(parameters: StartParameters, fixed: StartParameters): StartParameters {
  const parts = inParts
    .filter(name => parameters[name] && fixed[name])
    .map(name => [name, { ...parameters[name], ...fixed[name] }]);
  return { ...parameters, ...fixed, ...(Object.fromEntries(parts) as StartParameters) };
}
